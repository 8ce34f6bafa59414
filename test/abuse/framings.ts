import { type RawConnection, statusesOf } from "./raw-http.ts";

// While a request runs, the runtime may refuse the bytes that follow it, and answer 400 in place of the service. The request must
// then not have stored its animal, because only a request that gets a 201 may store one.

const NEXT = "GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n";
export const FOLLOWING = {
  nothing: "",
  "a line break": "\r\n",
  "two line breaks": "\r\n\r\n",
  "a request": NEXT,
  "half a request": NEXT.slice(0, 20),
  "what is no request": "GARBAGE\r\n\r\n",
  "a NUL": "\0",
} as const;

/** Combines header lines and a body into one text. */
type Frame = (lines: string, body: string) => string;

export const withLength: Frame = (lines, body) => `${lines}Content-Length: ${body.length}\r\n\r\n${body}`;
const inChunks =
  (trailer: string): Frame =>
  (lines, body) =>
    `${lines}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n`;
const FRAMES: Readonly<Record<string, Frame>> = {
  "a length": withLength,
  chunks: inChunks(""),
  "chunks with a trailer": inChunks("X: y\r\n"),
};

export interface Framing {
  readonly given: string;
  /**
   * Returns the bytes of a request that creates an animal, followed by more bytes. `lines` are the request line and the headers.
   */
  bytes(lines: string, name: string): string;
  /** True if a parser accepts the bytes that follow the request. */
  readonly isValid: boolean;
}

export const FRAMINGS: readonly Framing[] = Object.entries(FRAMES).flatMap(([framing, frame]) =>
  Object.entries(FOLLOWING).map(([given, rest]) => ({
    given: `${framing}, then ${given}`,
    bytes: (lines: string, name: string) => frame(lines, JSON.stringify({ name, categoryId: 1 })) + rest,
    isValid: rest === "" && !framing.includes("trailer"),
  })),
);

/** The address of the requests, and a way to find out which animals they have stored. */
export interface FramingTarget {
  readonly lines: string;
  open(bytes: string): Promise<RawConnection>;
  storedNames(): Promise<ReadonlySet<string>>;
}

/**
 * Returns the positions at which a test can divide a request, and the bytes that follow it, into two TCP segments. With `body`, no
 * position is after the end of the request's body.
 */
export function cutsOf(
  { bytes }: Framing,
  { lines }: FramingTarget,
  end: "whole" | "body",
): readonly number[] {
  const whole = bytes(lines, "0".repeat(36));
  const length = end === "whole" ? whole.length : whole.indexOf("}", whole.indexOf("{")) + 1;
  return Array.from({ length: length - 1 }, (_, index) => index + 1);
}

/**
 * Creates an animal for each position, 16 at a time. The bytes of each request are divided at its position into two TCP segments.
 * If the position is 0, they are sent in one segment.
 *
 * @returns the cases in which the store does not agree with the status of the first response
 */
export async function findContradictions(
  target: FramingTarget,
  framing: Framing,
  cuts: readonly number[],
): Promise<readonly string[]> {
  const outcomes: { readonly cut: number; readonly name: string; readonly status: number | undefined }[] = [];
  const waiting = cuts.values();
  async function sendEach(): Promise<void> {
    for (const cut of waiting) {
      const name = crypto.randomUUID();
      const bytes = framing.bytes(target.lines, name);
      const pieces = cut === 0 ? [bytes] : [bytes.slice(0, cut), bytes.slice(cut)];
      outcomes.push({ cut, name, status: await firstStatus(target, pieces) });
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendEach));
  const stored = await target.storedNames();
  return outcomes
    .filter(
      ({ name, status }) => stored.has(name) !== (status === 201) || (framing.isValid && status !== 201),
    )
    .map(
      ({ cut, name, status }) =>
        `${framing.given}, cut at ${cut}: ${stored.has(name) ? "stored" : "not stored"}, ${status ?? "no response"}`,
    );
}

/** Sends each piece of a request in a separate TCP segment. Returns the status of the first response. */
export async function firstStatus(
  { open }: Pick<FramingTarget, "open">,
  [first = "", ...others]: readonly string[],
): Promise<number | undefined> {
  const connection = await open(first);
  connection.socket.setNoDelay(true);
  for (const piece of others) {
    await untilRead(open);
    connection.socket.write(Buffer.from(piece, "latin1"));
  }
  await connection.answered(1);
  connection.socket.terminate();
  return statusesOf(connection.received())[0];
}

/**
 * Sends another request and waits for its response. The server has then also read everything that was sent before on other
 * connections.
 */
async function untilRead(open: FramingTarget["open"]): Promise<void> {
  const later = await open("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  await later.answered(1);
  later.socket.terminate();
}
