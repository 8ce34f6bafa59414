/** `1 animal`, `2,000 animals` */
export function pluralize(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
