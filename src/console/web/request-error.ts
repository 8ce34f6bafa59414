import { PetstoreError } from "../../../client/src/errors.ts";
import type { ToError } from "../../../client/src/failures.ts";

/**
 * Creates the error for a failed request, with a message to show to the person. Its status is 0 if there was no usable response.
 */
export const pageErrorOf: ToError = (_, { response, body, retryAfterSeconds }, { outcomeUnknown }) => {
  const status = response?.status ?? 0;
  if (body !== undefined)
    return new PetstoreError(body.message, {
      ...body,
      status,
      requestId: "",
      retryAfterSeconds,
      outcomeUnknown,
    });
  if (status === 0) return connectionError();
  return response?.ok
    ? pageError("The server's response was incomplete or unreadable. Try again.", 0)
    : pageError(`The server answered with status ${status}. Try again later.`, status);
};

// The messages for some errors replace those of the API, which describe a parameter or a header that the person does not know.

/** The message for an invalid number in the page's address. */
const WRONG_NUMBER = "The address of this page contains an invalid number. Open the page from the menu.";
const OUTDATED = "Somebody has just changed this. Check it, and try again.";

export function toPetstoreError(error: unknown): PetstoreError {
  if (!(error instanceof PetstoreError))
    return pageError(`This page failed: ${String(error)}. Reload it and try again.`);
  if (error.code === "precondition_failed") return new PetstoreError(OUTDATED, error);
  return error.message.includes("64-bit integer") ? new PetstoreError(WRONG_NUMBER, error) : error;
}

export function connectionError(): PetstoreError {
  return pageError("The server could not be reached. It may be restarting, or the network is down.", 0);
}

export function pageError(message: string, status = -1): PetstoreError {
  const known = { code: "", requestId: "", members: [], retryAfterSeconds: undefined, outcomeUnknown: false };
  return new PetstoreError(message, { ...known, status });
}

/** True if a change was refused because somebody else has changed or removed the resource. */
export function isOutdated({ code, status }: PetstoreError): boolean {
  return code === "precondition_failed" || status === 404;
}

/** True if the same request may succeed later. */
export function isTransient({ status }: PetstoreError): boolean {
  return status === 0 || status === 429 || status >= 500;
}
