import { ServiceError } from "../errors.ts";

// The whole process shares this state: in one turn of the event loop, and even in one segment of bytes, any service may get
// requests.
let parsing: PromiseWithResolvers<void> | undefined;
let isScheduled = false;

/**
 * Resolves after this turn of the event loop, or at the next request. The runtime parses the bytes that follow a request (a
 * trailer, a line break, another request) only after it has called our handler. If it refuses them, it answers 400 in our place
 * or hangs up, and aborts `signal` only then.
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
 * Ends the wait of `afterParsing`. Called at the end of the turn, and also for each request, because in a flood of requests a
 * turn does not end.
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
    "The connection was closed, or the bytes after the request were not a request. Nothing was changed.",
  );
}
