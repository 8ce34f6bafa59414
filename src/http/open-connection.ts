import { ServiceError } from "../errors.ts";

// The promise that `afterParsing` returns. All services of the process share this promise, because several of them may receive
// requests in the same turn of the event loop.
let parsing: PromiseWithResolvers<void> | undefined;
let isScheduled = false;

/**
 * Resolves at the end of the current turn of the event loop, or when the next request arrives. Await it before you check a
 * request's `signal`. The runtime hands over a request before it has parsed the bytes after it, such as a trailer or another
 * request. If these bytes are invalid, the runtime responds with 400 or closes the connection, and only then aborts `signal`.
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
 * Resolves the promise that `afterParsing` returned. Called at the end of each turn of the event loop, and also for each request,
 * because a turn does not end while requests keep arriving.
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
    "Nothing was changed. Either the connection was closed, or the bytes that followed this request were not valid HTTP.",
  );
}
