export function animalCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "animal" : "animals"}`;
}
