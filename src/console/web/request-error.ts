/** One wrong member of a request body, as in the `errors` of an RFC 9457 problem document. */
interface MemberError {
  /** `#/name` */
  readonly pointer: string;
  /** `is required` */
  readonly detail: string;
}

interface ErrorDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly problems?: readonly MemberError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failed request. The message is shown to people. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The HTTP status; 0 without a usable response, -1 for a fault of this page. */
  readonly status: number;
  readonly code: string;
  readonly problems: readonly MemberError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, { status, code = "", problems = [], retryAfterSeconds }: ErrorDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(`This page failed: ${String(error)}. Reload it and try again.`, { status: -1 });
}

export function networkError(): RequestError {
  return new RequestError("The server could not be reached. It may be restarting, or the network is down.", {
    status: 0,
  });
}

/** In place of what the API says of a number's type. */
const WRONG_NUMBER = "The page's address has a number that cannot be right. Go to the page from the menu.";

export async function readErrorResponse(
  response: Response,
  read: (text: string) => unknown,
): Promise<RequestError> {
  const { status } = response;
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const body = asRecord(
    await response
      .text()
      .then(read)
      .catch(() => undefined),
  );
  const sentence =
    textOf(body["detail"]) ??
    textOf(body["message"]) ??
    `The server answered with status ${status}. Try again later.`;
  const detail = sentence.includes("64-bit integer") ? WRONG_NUMBER : sentence;
  const problems = Array.isArray(body["errors"]) ? body["errors"].filter(isMemberError) : [];
  return new RequestError(detail, { status, code: textOf(body["code"]), problems, retryAfterSeconds });
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isMemberError(value: unknown): value is MemberError {
  const { pointer, detail } = asRecord(value);
  return typeof pointer === "string" && typeof detail === "string";
}
