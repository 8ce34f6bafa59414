import { JsonError, readJson } from "../contract/json/json.ts";
import { acceptsNone, FORM_MEDIA_TYPE, mediaTypesOf, type OperationBody } from "../contract/operation.ts";
import { bodyProblems, sentenceOf } from "../contract/schema.ts";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe, orElse } from "../platform/maybe.ts";
import type { Call, Pipeline } from "./call.ts";
import { afterParsing } from "./open-connection.ts";

export const BODY_DISCARD_BYTES_MAX = 1024 * 1024; // maximum number of bytes that the service reads of an oversized body before it responds with 413; if the body is even longer, the connection is closed
export const BODY_DEADLINE_MS = 10_000; // maximum time from the first to the last byte of a body; after that, the service responds with 408

/** A request's body in two forms: as parsed JSON, and as the value into which the operation's schema converts it. */
interface ReadBody {
  readonly json: unknown;
  readonly value: unknown;
}

/**
 * Reads a request's body, and checks its media type, size, encoding and schema, in that order. Call `afterParsing` first. If the
 * operation declares no body, the body is read and ignored. If the request has no body but all members of the declared body are
 * optional, the result is `{}`.
 *
 * @throws ServiceError `content_type_missing`, `unsupported_media_type`, `payload_too_large`, `request_timeout`,
 *   `invalid_request`, `invalid_json`, `invalid_body`
 */
export function readBody(call: Call, body: OperationBody | undefined): Maybe<ReadBody | undefined> {
  if (body === undefined) return andThen(readBytes(call), () => undefined);
  const { request } = call;
  const refusal = mediaTypeRefusal(request, mediaTypesOf(body));
  const mayBeLeftOut = () => acceptsNone(request.method, body);
  if (refusal !== undefined && !mayBeLeftOut()) throw refusal;
  const reading = orElse(
    () => readBytes(call),
    (error) => {
      throw refusal ?? error;
    },
  );
  return andThen(reading, (bytes) => {
    if (bytes.length === 0 && mayBeLeftOut()) return { json: {}, value: checkBody({}, body) };
    if (refusal !== undefined) throw refusal;
    const json = mediaTypesOf(body).includes(FORM_MEDIA_TYPE) ? parseForm(bytes) : parseBody(bytes);
    return { json, value: checkBody(json, body) };
  });
}

function mediaTypeRefusal(request: Request, mediaTypes: readonly string[]): ServiceError | undefined {
  const header = request.headers.get("content-type");
  const accepted = mediaTypes.join(" or ");
  if (header === null || header.trim() === "")
    return new ServiceError("content_type_missing", `Content-Type is required and must be ${accepted}.`);
  const [type = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (!mediaTypes.includes(type) || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    return new ServiceError("unsupported_media_type", `Content-Type must be ${accepted}, in UTF-8.`, {
      headers: acceptHeaders(request.method, mediaTypes),
    });
  }
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() === "identity") return undefined;
  return new ServiceError("unsupported_media_type", "The body must be sent without a Content-Encoding.", {
    headers: { "Accept-Encoding": "identity" },
  });
}

/**
 * Creates the response headers that list the accepted media types: `Accept` (RFC 9110 §12.5.1), `Accept-Post` (W3C LDP §7.1) or
 * `Accept-Patch` (RFC 5789 §3.1).
 */
export function acceptHeaders(method: string, mediaTypes: readonly string[]) {
  const types = mediaTypes.join(", ");
  if (method === "PUT") return { Accept: types };
  return { Accept: types, [method === "PATCH" ? "Accept-Patch" : "Accept-Post"]: types };
}

/** Header that makes the runtime close the connection after the response, because the request's body was not read to its end. */
export const CLOSE = { Connection: "close" };

function readBytes(call: Call): Maybe<Uint8Array> {
  const { request, pipeline } = call;
  const { maxBytes } = pipeline.bodyLimits;
  const length = request.headers.get("content-length");
  const announced = Number(length ?? 0);
  if (announced > Math.max(maxBytes, BODY_DISCARD_BYTES_MAX)) throw tooLarge(maxBytes, CLOSE);
  if (length === null && request.body === null) return new Uint8Array();
  // The runtime never reads more bytes than `Content-Length` announces. If that header is absent, the bytes are counted here.
  const reading = length === null || announced > maxBytes ? collect(request, maxBytes) : request.bytes();
  // If the body arrived together with the headers, it can be used at once, so the request keeps its concurrency slot and needs no
  // timer.
  if (Bun.peek.status(reading) === "fulfilled") return Bun.peek(reading);
  return pipeline.concurrency.releaseWhile(call, arrivalOf(reading, pipeline.bodyLimits));
}

/** Waits, up to a deadline, for a body that did not arrive together with the headers. */
async function arrivalOf(reading: Promise<Uint8Array>, { clock }: Pipeline["bodyLimits"]) {
  const over = new AbortController();
  try {
    const bytes = await Promise.race([reading, clock.wait(BODY_DEADLINE_MS, over.signal)]);
    await afterParsing();
    if (bytes !== undefined) return bytes;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("invalid_request", "The body is incomplete.", { cause: error });
  } finally {
    over.abort();
  }
  const message = `The body did not arrive within ${BODY_DEADLINE_MS / 1000} seconds.`;
  throw new ServiceError("request_timeout", message, { headers: CLOSE });
}

/**
 * Reads a body. Reads up to 1 MiB even if the limit is lower, because a proxy responds with 502 if the service closes the
 * connection while the proxy is still sending.
 */
async function collect(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else if (size > BODY_DISCARD_BYTES_MAX) throw tooLarge(maxBytes, CLOSE);
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number, headers = {}): ServiceError {
  const message = `The request body exceeds the ${maxBytes} byte limit.`;
  return new ServiceError("payload_too_large", message, { headers });
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new ServiceError("invalid_json", error.message);
    throw error;
  }
}

/** Parses the fields of a form. Like a duplicate member in JSON, a duplicate name is refused. */
function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    throw new ServiceError("invalid_body", "The form must not have two fields of the same name.");
  return Object.fromEntries(fields);
}

/** Validates parsed JSON against the schema of an operation's body. @throws ServiceError `invalid_body` */
export function checkBody(value: unknown, { schema, refused = {} }: OperationBody): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError("invalid_body", "The body must be a JSON object.", {
      problems: [{ pointer: "#", detail: "must be a JSON object" }],
    });
  }
  const present = Object.entries(refused).filter(([name]) => Object.hasOwn(value, name));
  const checked = schema.safeParse(value);
  if (checked.success && present.length === 0) return checked.data;
  const problems = [
    ...present.map(([name, detail]) => ({ pointer: `#/${name}`, detail })),
    ...(checked.success ? [] : bodyProblems(checked.error)),
  ];
  throw new ServiceError("invalid_body", sentenceOf(problems), { problems });
}
