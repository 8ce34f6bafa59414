import type { Count } from "../../contract.ts";
import { formatNumber } from "../format.ts";

export function countText({ count, isAtLeast }: Count): string {
  return formatNumber(count) + (isAtLeast ? "+" : "");
}

export function sum(counts: readonly Count[]): Count {
  return {
    count: counts.reduce((total, { count }) => total + count, 0),
    isAtLeast: counts.some(({ isAtLeast }) => isAtLeast),
  };
}
