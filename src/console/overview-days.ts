import { z } from "zod";
import type { Parameter } from "../contract/parameter.ts";
import { createDayCounter, type Log } from "../events/count-by-day.ts";
import { OVERVIEW_COUNT_MAX } from "../limits.ts";
import type { Query } from "../storage/database.ts";
import { type Count, count, countOf } from "./count.ts";

const OVERVIEW_DAYS_MAX = 32; // of the overview's chart; more are refused

/** RFC 3339 has no days of a time zone: the browser, which has one, says when each of them begins. */
export const daysParameter: Parameter<readonly number[], readonly number[]> = {
  description: "When each day begins in the person's time zone, the last of them today.",
  expected: `1 to ${OVERVIEW_DAYS_MAX} ascending times, in milliseconds since 1970, separated by commas`,
  default: [],
  parse(text) {
    const digits = text.split(",", OVERVIEW_DAYS_MAX + 1);
    const starts = digits.map(Number);
    const isValid = (start: number, index: number) =>
      /^[0-9]{1,14}$/.test(digits[index] ?? "") && start > (starts[index - 1] ?? -1);
    return starts.length <= OVERVIEW_DAYS_MAX && starts.every(isValid) ? starts : undefined;
  },
  schema: z.array(z.int()).min(1).max(OVERVIEW_DAYS_MAX),
  isList: true,
};

export const dayCounts = z.object({
  from: z.number().meta({ description: "When the day begins, in milliseconds since 1970." }),
  sold: count,
  added: count,
});
export interface DayCounts {
  readonly from: number;
  readonly sold: Count;
  readonly added: Count;
}

/** Counts what was sold and added in each day of which the log is kept. */
export function createOverviewDays() {
  const countDay = createDayCounter(["order.completed", "pet.created"], OVERVIEW_COUNT_MAX);
  return async (query: Query, log: Log, starts: readonly number[], now: number): Promise<DayCounts[]> => {
    const days = starts.map((from, index) => ({ from, to: starts[index + 1] }));
    const known = days.filter(({ to }) => to === undefined || to > log.since);
    return Promise.all(
      known.map(async (day) => {
        const [sold = 0, added = 0] = await countDay(query, log, day, now);
        return { from: day.from, sold: countOf(sold), added: countOf(added) };
      }),
    );
  };
}
