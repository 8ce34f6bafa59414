import { writeJson } from "../contract/json/json.ts";
import { ServiceError } from "../errors.ts";
import { checkBody } from "./body.ts";
import { type Call, requireEndpoint } from "./call.ts";
import type { Endpoint, InputValues } from "./endpoint.ts";
import { encodeError } from "./error-response.ts";
import { readIdempotencyKey } from "./idempotency/idempotency.ts";
import type { ResponseData } from "./response.ts";

/** A change among those of one request. It is committed and answered by itself, as if it had been sent alone. */
export interface Line {
  readonly endpoint: Endpoint;
  /** Path of its operation, with the values of its parameters. */
  readonly path: string;
  readonly values: InputValues;
  /** Its own `Idempotency-Key` and `If-Match`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** Changes that the verb of an endpoint with `commit: "lines"` yields. */
export interface Lines {
  readonly lines: readonly Line[];
  /** Called once every line is answered. */
  readonly onAnswered: () => void;
}

/** The header fields of one change, its idempotency key, and its body's JSON. */
export interface ChangeRequest {
  readonly headers: Pick<Headers, "get">;
  readonly idempotencyKey: string | undefined;
  /** Undefined if the operation declares no body. */
  readonly json: unknown;
  /** Owner of the transactions, who never has all connections for them; the request's key if left out. */
  readonly owner?: string;
}

type Commit = (call: Call, input: InputValues, change: ChangeRequest) => Promise<ResponseData>;

/**
 * Commits lines concurrently, so that they share the group commits of the store, and answers with the response to each. A line that
 * is refused leaves the others as they are.
 *
 * @throws the first error that is no refusal, once all lines are finished; a repetition of the request replays those with a key
 */
export async function answerLines(
  call: Call,
  { lines, onAnswered }: Lines,
  commit: Commit,
): Promise<ResponseData> {
  const settled = await Promise.allSettled(lines.map((line) => answerLine(call, line, commit)));
  onAnswered();
  const answers = settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  const { status } = requireEndpoint(call).operation.success;
  return { status, headers: { "Content-Type": "application/json" }, body: writeJson(answers) };
}

async function answerLine(all: Call, line: Line, commit: Commit): Promise<ResponseData> {
  const { endpoint, values, json } = line;
  const { operation } = endpoint;
  const path = all.path.slice(0, -requireEndpoint(all).operation.path.length) + line.path;
  const call: Call = { ...all, path, endpoint, operation, values: { ...values }, headers: {} };
  const headers = new Headers(line.headers);
  try {
    const body = operation.body && checkBody(json, operation.body);
    const idempotencyKey = readIdempotencyKey(operation.method, headers);
    const owner = all.actor?.kind === "session" ? { owner: all.actor.sessionId } : {};
    return await commit(call, { ...values, body }, { headers, idempotencyKey, json, ...owner });
  } catch (error) {
    // Others are the whole request's, and are logged with it.
    if (!(error instanceof ServiceError) || error.cause !== undefined) throw error;
    return encodeError(error, call);
  }
}
