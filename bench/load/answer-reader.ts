const END_OF_HEAD = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);
/** Index of the status in `HTTP/1.1 200`. */
const STATUS_AT = 9;

/**
 * Splits a connection's bytes into responses. The reader takes each chunk and returns the status when a response is
 * complete, else 0. It needs Content-Length: a chunked response is a fault here.
 */
export function createAnswerReader(): (chunk: Buffer) => number {
  let head: Buffer = NOTHING;
  let isInBody = false;
  let status = 0;
  let left = 0;

  return (chunk) => {
    if (isInBody) left -= chunk.length;
    else {
      const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) {
        head = bytes;
        return 0;
      }
      head = NOTHING;
      status = numberAt(bytes, STATUS_AT);
      left = bodyLength(bytes, end, status) - (bytes.length - end - END_OF_HEAD.length);
    }
    isInBody = left > 0;
    if (isInBody) return 0;
    if (left < 0) throw new Error("The server sent more bytes than it announced.");
    return status;
  };
}

function bodyLength(bytes: Buffer, end: number, status: number): number {
  if (status === 304 || status === 204) return 0;
  for (let at = 0; at < end; at++) {
    if (bytes[at] === LINE_FEED && isContentLength(bytes, at + 1)) return numberAt(bytes, at + 16);
  }
  throw new Error(`A response has no Content-Length: ${bytes.toString("latin1", 0, end)}`);
}

const LINE_FEED = 0x0a;
const COLON = 0x3a;
const DASH = 0x2d;
const SMALL_C = 0x63;
const SMALL_L = 0x6c;
const TO_SMALL = 0x20;

/** No other header field of these servers has these four characters at these indexes. */
function isContentLength(bytes: Buffer, at: number): boolean {
  return (
    bytes[at + 14] === COLON &&
    bytes[at + 7] === DASH &&
    ((bytes[at] ?? 0) | TO_SMALL) === SMALL_C &&
    ((bytes[at + 8] ?? 0) | TO_SMALL) === SMALL_L
  );
}

/** The number at this index, after spaces. */
function numberAt(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20) at++;
  let value = 0;
  for (let digit = (bytes[at] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - 0x30) {
    value = value * 10 + digit;
  }
  return value;
}
