import { formatNumber } from "../format.ts";

const DAY_MS = 86_400_000;

/**
 * Returns the number of whole days since a time. If the time is null, because its event has been deleted from the log, returns
 * `90+ days`.
 */
export function daysSince(at: string | null): string {
  if (at === null) return "90+ days";
  const days = Math.floor(Math.max(0, Date.now() - Date.parse(at)) / DAY_MS);
  if (days === 0) return "today";
  return days === 1 ? "1 day" : `${formatNumber(days)} days`;
}
