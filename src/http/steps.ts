import { andFinally, type Maybe } from "../platform/maybe.ts";
import type { FileResponseData } from "./response.ts";

/** A response, or a promise of one. */
export type Responding = Maybe<FileResponseData>;

/** Yields the response where it has one; otherwise the next step continues. */
export type Step<Call> = (call: Call) => Maybe<FileResponseData | undefined>;

/**
 * Runs steps until one yields the response; the last one always does. Where none has to wait, as with an embedded database, all
 * run in the turn of the request and no promise is made.
 */
export function runSteps<Call>(steps: readonly Step<Call>[], call: Call, first = 0): Responding {
  for (let index = first; index < steps.length; index++) {
    const response = steps[index]?.(call);
    if (response instanceof Promise)
      return response.then((found) => found ?? runSteps(steps, call, index + 1));
    if (response !== undefined) return response;
  }
  throw new TypeError("No step has a response.");
}

/** The same; `end` is called once the response is there, or a step has failed. */
export function runStepsUntil<Call>(steps: readonly Step<Call>[], call: Call, end: () => void): Responding {
  return andFinally(() => runSteps(steps, call), end);
}
