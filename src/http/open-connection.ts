import { ServiceError } from "../errors.ts";

// The promise of `afterParsing`. All services of the process share it, because any of them may get a request in the same turn of
// the event loop, and even in the same segment of bytes.
let parsing: PromiseWithResolvers<void> | undefined;
let isScheduled = false;

/**
 * Resolves at the end of this turn of the event loop, or at the next request. The runtime calls our handler before it parses the
 * bytes that follow a request, such as a trailer, a line break or another request. If those bytes are invalid, the runtime itself
 * answers 400 or closes the connection, and only then aborts `signal`.
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
 * Resolves the promise of `afterParsing`. Called at the end of the turn, and also for each request, because a turn does not end
 * while requests keep arriving.
 */
export function endParsing(): void {
  parsing?.resolve();
  parsing = undefined;
}

/** Refuses a change if its client can no longer receive the response. @throws ServiceError `invalid_request` */
export function requireOpenConnection({ signal }: Request): void {
  if (!signal.aborted) return;
  throw new ServiceError(
    "invalid_request",
    "Nothing was changed, because the connection was closed, or because the data after this request was not valid HTTP.",
  );
}
