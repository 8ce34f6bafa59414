import { errorClass, PetstoreConnectionError, type PetstoreError } from "./errors.ts";
import { type OutgoingRequest, reasonOf, requestIdOf, type SendFailure } from "./send.ts";

/** Creates the error that a call rejects with after its last attempt. */
export type ToError = (
  request: OutgoingRequest,
  failure: SendFailure,
  outcome: { readonly attempts: number; readonly outcomeUnknown: boolean },
) => PetstoreError | PetstoreConnectionError;

/** Creates the error of a failed call. Its message is for programmers; the console has its own messages. */
export const programError: ToError = ({ method, address }, failure, { attempts, outcomeUnknown }) => {
  const { response, body, retryAfterSeconds, cause } = failure;
  if (response !== undefined && body !== undefined) {
    const { status } = response;
    const { message, ...details } = body;
    const ErrorOfStatus = errorClass(status);
    const requestId = requestIdOf(response);
    return new ErrorOfStatus(message, { ...details, status, requestId, retryAfterSeconds, outcomeUnknown });
  }
  const count = attempts > 1 ? ` (${attempts} attempts)` : "";
  const doubt = outcomeUnknown
    ? " The change may have been made. Check the store before you repeat the call."
    : "";
  const options = { address, outcomeUnknown, ...(cause !== undefined && { cause }) };
  return new PetstoreConnectionError(`${method} ${address} ${describe(failure)}${count}.${doubt}`, options);
};

function describe({ response, timeoutMs, cause }: SendFailure): string {
  if (response !== undefined) return describeUnexpected(response);
  if (timeoutMs !== undefined) return `did not answer within ${timeoutMs} ms (timeoutMs)`;
  return `could not be reached: ${reasonOf(cause)}`;
}

/**
 * Describes a response that does not come from petstore but from another program, such as a proxy, the sign-in page of a network,
 * or another service.
 */
function describeUnexpected({ status, type, headers }: Response): string {
  const advice = "but the client does not follow redirects: set the base address to the final address";
  if (type === "opaqueredirect") return `answered with a redirect, ${advice}`;
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) {
    return `answered ${status} with a redirect to ${location}, ${advice}`;
  }
  const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "no media type";
  return `answered ${status} with ${mediaType}, which is not a response from petstore: check the base address, and any proxy in between`;
}
