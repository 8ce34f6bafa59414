import { ServiceError } from "../errors.ts";

let parsing: PromiseWithResolvers<void> | undefined;
let isScheduled = false;

/**
 * Resolves after this turn of the event loop, or at the next request. Bytes after a request in the same segment (a trailer,
 * a line break, another request) are parsed after our handler was called: if the runtime refuses them, it answers 400 in our
 * place or hangs up, and `signal` is aborted only then.
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

/** Ends the wait of `afterParsing`, at the turn's end or at the next request: a flood of connections ends no turn. */
export function endParsing(): void {
  parsing?.resolve();
  parsing = undefined;
}

/** Refuses a change whose client cannot get the response. @throws ServiceError `invalid_request` */
export function requireOpenConnection({ signal }: Request): void {
  if (!signal.aborted) return;
  throw new ServiceError(
    "invalid_request",
    "The connection was closed, or the bytes after the request were not a request. Nothing was changed.",
  );
}
