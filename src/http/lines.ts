import { writeJson } from "../contract/json/json.ts";
import { ServiceError } from "../errors.ts";
import { inParts } from "../platform/turns.ts";
import { checkBody } from "./body.ts";
import { type Call, requireEndpoint } from "./call.ts";
import type { Endpoint, InputValues } from "./endpoint.ts";
import { encodeError } from "./error-response.ts";
import { readIdempotencyKey } from "./idempotency/idempotency.ts";
import type { ResponseData } from "./response.ts";

const LINES_AT_ONCE = 10; // number of lines that are committed together while others send requests; it is small, so that those requests wait only briefly

/**
 * One of several changes in the same request. It is committed and answered as if the client had sent it in a separate request.
 */
export interface Line {
  readonly endpoint: Endpoint;
  /** Path of the operation, with the values of its parameters: `/pets/7`. */
  readonly path: string;
  readonly values: InputValues;
  /** The `Idempotency-Key` and `If-Match` of the change. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** The changes that an operation's function returns if its endpoint has `commit: "lines"`. */
export interface Lines {
  readonly lines: readonly Line[];
  /** Called after every line of the request has been answered. */
  readonly onAnswered: () => void;
}

/** The parts of a request that concern one of its changes. */
export interface ChangeRequest {
  readonly headers: Pick<Headers, "get">;
  readonly idempotencyKey: string | undefined;
  /** The parsed JSON of the change; undefined if its operation declares no body. */
  readonly json: unknown;
  /**
   * Identifies the owner of the transactions, because a single owner must not occupy all database connections. By default, the
   * owner is the request's key.
   */
  readonly owner?: string;
}

type Commit = (call: Call, input: InputValues, change: ChangeRequest) => Promise<ResponseData>;

/**
 * Commits lines in groups, and responds with one answer for each line. Groups are small while another key or session sends
 * requests. A refused line does not affect the other lines.
 *
 * @throws the first error that is not a refusal; the lines of later groups are then not committed. If the client repeats the
 *   request, lines that have an idempotency key are not executed twice
 */
export async function answerLines(
  call: Call,
  { lines, onAnswered }: Lines,
  commit: Commit,
): Promise<ResponseData> {
  async function answerGroup(group: readonly Line[]): Promise<readonly ResponseData[]> {
    // If a line fails with an error, the error is thrown only after all other lines of the group have finished.
    const settled = await Promise.allSettled(group.map((line) => answerLine(call, line, commit)));
    return settled.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }
  try {
    const { concurrency } = call.pipeline;
    const answers = await inParts(lines, {
      sizeOf: () => (concurrency.isUsedByOthers(call) ? LINES_AT_ONCE : lines.length),
      run: answerGroup,
    });
    const { status } = requireEndpoint(call).operation.success;
    return { status, headers: { "Content-Type": "application/json" }, body: writeJson(answers) };
  } finally {
    onAnswered();
  }
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
    // An error that is not a refusal makes the whole request fail, and is logged with that request.
    if (!(error instanceof ServiceError) || error.cause !== undefined) throw error;
    return encodeError(error, call);
  }
}
