import { PetstoreConnectionError, PetstoreError } from "../../../client/src/client.ts";
import { clientEnvironment } from "../../config.ts";
import type { Environment } from "../../context.ts";
import { escapeControls } from "../terminal/escape-controls.ts";

/** What a refusal of the shop's comes to for the user: its own sentence, what to do, and what its log knows it by. */
export function explainError(
  error: unknown,
  environment: Environment,
  isKeyFromEnvironment = clientEnvironment().key !== undefined,
): unknown {
  if (error instanceof PetstoreConnectionError)
    return new Error(`${escapeControls(error.message)} Is the service running there?`, { cause: error });
  if (!(error instanceof PetstoreError)) return error;
  const parts = [
    sentence(escapeControls(error.message)),
    ...adviceFor(error, environment, isKeyFromEnvironment),
  ];
  if (error.requestId !== "") parts.push(`(request ${escapeControls(error.requestId)})`);
  return new Error(parts.join(" "), { cause: error });
}

function adviceFor(
  { status, retryAfterSeconds }: PetstoreError,
  environment: Environment,
  isKeyFromEnvironment: boolean,
): readonly string[] {
  // A login would change nothing: PETSTORE_KEY comes before what it stores.
  if (status === 401 && isKeyFromEnvironment) return ["It is the one in PETSTORE_KEY."];
  if (status === 401) return [`Run: petstore login --environment ${environment}`];
  if (status === 403) return ["Log in with a key whose access is read-write."];
  if (retryAfterSeconds !== undefined) return [`Try again in ${retryAfterSeconds} s.`];
  return [];
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
