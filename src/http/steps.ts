import { andFinally, type Maybe } from "../platform/maybe.ts";
import type { Handling } from "./call.ts";
import type { Slot } from "./concurrency-limit.ts";
import type { FileResponseData, Responding } from "./response.ts";

/** Yields the response where it has one; otherwise the next step continues. */
type Step = (handling: Handling) => Maybe<FileResponseData | undefined>;

/**
 * Runs steps until one yields the response; the last one always does. Where none has to wait, all run in the turn of the request
 * and no promise is made.
 */
export function runSteps(steps: readonly Step[], handling: Handling, first = 0): Responding {
  for (let index = first; index < steps.length; index++) {
    const response = steps[index]?.(handling);
    if (response instanceof Promise)
      return response.then((found) => found ?? runSteps(steps, handling, index + 1));
    if (response !== undefined) return response;
  }
  throw new TypeError("No step has a response.");
}

/** Releases the slot once the response is there, or `handle` has failed. */
export function holding({ release }: Slot, handle: () => Responding): Responding {
  return andFinally(handle, release);
}
