import { ServiceError } from "../errors.ts";

let parsing: PromiseWithResolvers<void> | undefined;
let isScheduled = false;

/**
 * Resolves after this turn of the event loop, or when another request begins. What stands behind a request in the same
 * segment (a trailer, a line break, another request) is parsed after our handler was called: where the runtime refuses
 * it, it answers 400 in our place or hangs up, and `signal` is aborted only then.
 */
export function afterParsing(): Promise<void> {
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      endParsing();
    });
  }
  parsing ??= Promise.withResolvers();
  return parsing.promise;
}

/**
 * Called when the runtime hands over a request: it has read on from the connections of all requests before. A flood of more
 * than a thousand connections ends no turn.
 */
export function endParsing(): void {
  parsing?.resolve();
  parsing = undefined;
}

/** @throws ServiceError `invalid_request` where the client gets no response of ours: nothing may be changed for it */
export function requireOpenConnection({ signal }: Request): void {
  if (!signal.aborted) return;
  throw new ServiceError(
    "invalid_request",
    "The connection ended, or what followed on it was no request. Nothing was changed.",
  );
}
