/** One wrong member of what was sent, as RFC 9457 problem documents list them. */
export interface MemberProblem {
  /** `#/name` */
  readonly pointer: string;
  /** `is required` */
  readonly detail: string;
}

interface FailureDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly problems?: readonly MemberProblem[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A request that did not do what was asked; the message is fit for the reader. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly problems: readonly MemberProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, { status, code = "", problems = [], retryAfterSeconds }: FailureDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Nothing was wrong with what was sent: the same may well succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function asFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return new RequestFailure(`Something went wrong in this page: ${String(error)}`, { status: -1 });
}

export function unreachable(): RequestFailure {
  return new RequestFailure(
    "The server could not be reached. It may be restarting, or the network is down.",
    {
      status: 0,
    },
  );
}

/** What a refusing answer says, in the server's own words where it has any. */
export async function readFailure(
  response: Response,
  read: (text: string) => unknown,
): Promise<RequestFailure> {
  const { status } = response;
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const body = asRecord(
    await response
      .text()
      .then(read)
      .catch(() => undefined),
  );
  const detail =
    textOf(body["detail"]) ?? textOf(body["message"]) ?? `The server answered with status ${status}.`;
  const problems = Array.isArray(body["errors"]) ? body["errors"].filter(isMemberProblem) : [];
  return new RequestFailure(detail, { status, code: textOf(body["code"]), problems, retryAfterSeconds });
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isMemberProblem(value: unknown): value is MemberProblem {
  const { pointer, detail } = asRecord(value);
  return typeof pointer === "string" && typeof detail === "string";
}
