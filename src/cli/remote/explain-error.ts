import { PetstoreConnectionError, PetstoreError } from "../../../client/src/client.ts";
import { reasonOf } from "../../../client/src/send.ts";
import { readRemoteSettings } from "../../config/environment.ts";
import type { Environment } from "../../context.ts";
import { escapeControls } from "../terminal/escape-controls.ts";

/** Error codes of OpenSSL and Node for a certificate that is not trusted, has expired, or belongs to another host. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const UNTRUSTED =
  "The service's certificate is not trusted. If a private certificate authority issued it, set NODE_EXTRA_CA_CERTS to the path of the authority's certificate file.";
const UNREACHABLE = "Is the service running at this address? To start it on this machine: petstore serve";

/**
 * Rewrites an error for the user. The new message contains the service's message, a remedy, and the request id, which the operator
 * can look up in the service's log.
 */
export function explainError(
  error: unknown,
  environment: Environment,
  isKeyFromEnvironment = readRemoteSettings().key !== undefined,
): unknown {
  if (error instanceof PetstoreConnectionError) {
    const advice = CERTIFICATE.test(reasonOf(error.cause)) ? UNTRUSTED : UNREACHABLE;
    return new Error(`${escapeControls(error.message)} ${advice}`, { cause: error });
  }
  if (!(error instanceof PetstoreError)) return error;
  const advice = adviceFor(error, environment, isKeyFromEnvironment);
  const request = error.requestId === "" ? "" : ` (request ${escapeControls(error.requestId)})`;
  return new Error(`${sentence(escapeControls(error.message))}${advice}${request}`, { cause: error });
}

function adviceFor(
  { status, retryAfterSeconds, outcomeUnknown }: PetstoreError,
  environment: Environment,
  isKeyFromEnvironment: boolean,
): string {
  // Logging in again would not help, because PETSTORE_KEY takes precedence over a stored key.
  if (status === 401 && isKeyFromEnvironment)
    return " The key comes from PETSTORE_KEY. Set this variable to a valid key, or unset it.";
  if (status === 401) return ` Run: petstore login --environment ${environment}`;
  if (status === 412 && outcomeUnknown)
    return " An earlier attempt got no response, but may have made this change.";
  return retryAfterSeconds === undefined ? "" : ` Try again in ${retryAfterSeconds} s.`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
