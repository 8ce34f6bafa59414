import type { Maybe } from "../platform/maybe.ts";
import type { Handling } from "./call.ts";
import type { FileResponseData, Responding } from "./response.ts";

/** A step of handling a request: returns the response, or undefined to continue with the next step. */
type Step = (handling: Handling) => Maybe<FileResponseData | undefined>;

/** Runs steps until one returns the response, as the last always does; synchronously, while no step waits. */
export function runSteps(steps: readonly Step[], handling: Handling, first = 0): Responding {
  for (let index = first; index < steps.length; index++) {
    const response = steps[index]?.(handling);
    if (response instanceof Promise)
      return response.then((found) => found ?? runSteps(steps, handling, index + 1));
    if (response !== undefined) return response;
  }
  throw new TypeError("No step has a response.");
}
