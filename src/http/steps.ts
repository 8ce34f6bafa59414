import { andFinally, type Maybe } from "../platform/maybe.ts";
import type { Handling } from "./call.ts";
import type { FileResponseData, Responding } from "./response.ts";

/** Yields the response where it has one; otherwise the next step continues. */
type Step = (handling: Handling) => Maybe<FileResponseData | undefined>;

/**
 * Runs steps until one yields the response; the last one always does. Where none has to wait, as with an embedded database, all
 * run in the turn of the request and no promise is made.
 *
 * @param end called once the response is there, or a step has failed
 */
export function runSteps(steps: readonly Step[], handling: Handling, end: () => void): Responding {
  function runFrom(first: number): Responding {
    for (let index = first; index < steps.length; index++) {
      const response = steps[index]?.(handling);
      if (response instanceof Promise) return response.then((found) => found ?? runFrom(index + 1));
      if (response !== undefined) return response;
    }
    throw new TypeError("No step has a response.");
  }
  return andFinally(() => runFrom(0), end);
}
