/** `1 animal`, `2,000 animals` */
export function animalCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "animal" : "animals"}`;
}
