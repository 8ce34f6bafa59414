import type { Count } from "../../contract.ts";

export function countText({ count, isAtLeast }: Count): string {
  return count.toLocaleString() + (isAtLeast ? "+" : "");
}

export function sum(counts: readonly Count[]): Count {
  return {
    count: counts.reduce((total, { count }) => total + count, 0),
    isAtLeast: counts.some(({ isAtLeast }) => isAtLeast),
  };
}
