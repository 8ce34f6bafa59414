import { formatNumber } from "../format.ts";

export function animalCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "animal" : "animals"}`;
}
