import { z } from "zod";
import { OVERVIEW_COUNT_MAX } from "../limits.ts";

export const count = z.object({
  count: z.number(),
  isAtLeast: z.boolean().meta({ description: "Counting stopped here: there may be more." }),
});
export type Count = z.infer<typeof count>;

/** Counting ends at `OVERVIEW_COUNT_MAX`, so that a large store costs no more than a small one. */
export function countOf(found: number): Count {
  return { count: found, isAtLeast: found === OVERVIEW_COUNT_MAX };
}
