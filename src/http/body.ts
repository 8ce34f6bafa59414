import { JsonError, readJson } from "../contract/json/json.ts";
import type { OperationBody } from "../contract/operation.ts";
import { bodyProblems, sentenceOf } from "../contract/schema.ts";
import { ServiceError } from "../errors.ts";
import { BODY_DEADLINE_MS, BODY_DISCARD_BYTES_MAX } from "../limits.ts";
import type { Slot } from "./concurrency-limit.ts";

/**
 * A request's body: its media type, its size, its text and its shape are checked, in that order.
 *
 * @returns the checked value, and the bytes it was read from
 * @throws ServiceError `content_type_missing`, `unsupported_media_type`, `payload_too_large`, `request_timeout`,
 *   `invalid_json`, `invalid_body`
 */
export async function readBody(
  request: Request,
  body: OperationBody,
  maxBytes: number,
  place: Slot,
): Promise<{ value: unknown; bytes: Uint8Array }> {
  requireMediaType(request, body.mediaTypes);
  const bytes = await readBytes(request, maxBytes, place);
  return { value: checkBody(parseBody(bytes), body), bytes };
}

function requireMediaType(request: Request, mediaTypes: OperationBody["mediaTypes"]): void {
  const header = request.headers.get("content-type");
  const takes = mediaTypes.join(" or ");
  if (header === null || header.trim() === "") {
    throw new ServiceError("content_type_missing", `Content-Type is required and must be ${takes}.`);
  }
  const [type = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (!mediaTypes.includes(type) || (charset !== undefined && !/^charset="?utf-8"?$/.test(charset))) {
    throw new ServiceError("unsupported_media_type", `Content-Type must be ${takes}, in UTF-8.`, {
      headers: acceptHeaders(request.method, takes.replaceAll(" or ", ", ")),
    });
  }
  const coding = request.headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity") {
    throw new ServiceError("unsupported_media_type", "The body must be sent without a Content-Encoding.", {
      headers: { "Accept-Encoding": "identity" },
    });
  }
}

/** What works instead: RFC 9110 §12.5.1, and `Accept-Post` (W3C LDP §7.1) or `Accept-Patch` (RFC 5789 §3.1). */
function acceptHeaders(method: string, types: string): Record<string, string> {
  return { Accept: types, [method === "PATCH" ? "Accept-Patch" : "Accept-Post"]: types };
}

/** For a body whose rest nobody wants to hear. */
const HANG_UP = { Connection: "close" };

/**
 * The bytes of a body, whatever they are.
 *
 * @throws ServiceError `payload_too_large`, `request_timeout`, `invalid_request`
 */
export async function readBytes(request: Request, maxBytes: number, place: Slot): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  const announced = Number(length ?? 0);
  if (announced > Math.max(maxBytes, BODY_DISCARD_BYTES_MAX)) throw tooLarge(maxBytes, HANG_UP);
  if (length === null && request.body === null) return new Uint8Array();
  // A length that was announced is held to by the runtime; without one, we count.
  const reading = length === null || announced > maxBytes ? collect(request, maxBytes) : request.bytes();
  // Most bodies are there before anybody asks, and need no deadline.
  return Bun.peek.status(reading) === "fulfilled" ? reading : place.releaseWhile(withinDeadline(reading));
}

async function withinDeadline(reading: Promise<Uint8Array>): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>();
  const deadline = setTimeout(() => late.reject(tooLate()), BODY_DEADLINE_MS);
  try {
    return await Promise.race([reading, late.promise]);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("invalid_request", "The body ended before it was whole.", { cause: error });
  } finally {
    clearTimeout(deadline);
  }
}

/** What is somewhat too large is heard to its end: a proxy that is cut off while it sends tells its client 502. */
async function collect(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else if (size > BODY_DISCARD_BYTES_MAX) throw tooLarge(maxBytes, HANG_UP);
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks);
}

function tooLate(): ServiceError {
  return new ServiceError(
    "request_timeout",
    `The body did not arrive within ${BODY_DEADLINE_MS / 1000} seconds.`,
    { headers: HANG_UP },
  );
}

function tooLarge(maxBytes: number, headers: Record<string, string> = {}): ServiceError {
  return new ServiceError("payload_too_large", `The request body exceeds the ${maxBytes} byte limit.`, {
    headers,
  });
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new ServiceError("invalid_json", error.message);
    throw error;
  }
}

function checkBody(value: unknown, { schema }: OperationBody): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError("invalid_body", "The body must be a JSON object.", {
      problems: [{ pointer: "#", detail: "must be a JSON object" }],
    });
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const problems = bodyProblems(checked.error);
  throw new ServiceError("invalid_body", sentenceOf(problems), { problems });
}
