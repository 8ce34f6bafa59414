import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  SIMULATED_DELAY_MS_MAX,
  SIMULATED_TIMES_MAX,
  SIMULATION_COUNTS_MAX,
} from "../../limits.ts";

/** Pattern of `Idempotency-Key`: a key without quotes, or a Structured Field string (RFC 8941 §3.3.3). */
export const IDEMPOTENCY_KEY_PATTERN = new RegExp(
  `^(?:[!#-~][!-~]{0,${IDEMPOTENCY_KEY_LENGTH_MAX - 1}}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,${IDEMPOTENCY_KEY_LENGTH_MAX}}")$`,
);

/**
 * Pattern of `If-Match`, and of `If-None-Match` in a request that makes a change: `*` or a list of entity tags. A tag may contain
 * a comma, and elements of the list may be empty (RFC 9110 §5.6.1.2, §8.8.3).
 */
export const ENTITY_TAGS_PATTERN = /^(?:\*|[ \t,]*(?:(?:W\/)?"[!#-~\x80-\uffff]*"[ \t]*(?:,[ \t,]*|$))+)$/;

/** Pattern of `Last-Event-ID`: the identifier of an event, or 0 for the position before the first event. */
export const LAST_EVENT_ID_PATTERN = /^(0|[1-9][0-9]{0,18})$/;

/** Pattern of `Petstore-Simulate`: an error code, a delay, or `lose-answer`, optionally followed by the number of requests. */
export const SIMULATE_PATTERN =
  /^(?:([a-z_]+)|delay=([0-9]{1,5})|lose-answer)(?:[ \t]*;[ \t]*times=([0-9]{1,4}))?$/;

const ENTITY_TAG = '"Jl_SqcGzVuBYM9-wNbiTju"';

function text(description: string, example: string) {
  return { description, schema: { type: "string" }, example } as const;
}

function always(description: string, example: string) {
  return { ...text(description, example), required: true } as const;
}

function only(value: string, description: string) {
  return { description, schema: { type: "string", const: value }, example: value } as const;
}

export const headerComponents = {
  XRequestId: always(
    "Identifies the request in the service's log. If the client sent a valid `X-Request-Id`, the response has the same value.",
    "3f0c2c1e9b7a4d5f8e6a1b2c3d4e5f60",
  ),
  ETag: always(
    "Identifies this version of the resource (RFC 9110 §8.8.3). Send this value in `If-None-Match` or `If-Match`.",
    ENTITY_TAG,
  ),
  PageETag: always(
    "Identifies this page (RFC 9110 §8.8.3). If the only parameter is one `id` or one `externalId`, this is the `ETag` of the item: " +
      "send this value in `If-Match` to change the item.",
    ENTITY_TAG,
  ),
  ListETag: text(
    "Identifies this page (RFC 9110 §8.8.3): send this value in `If-None-Match`. An event stream has no `ETag`.",
    ENTITY_TAG,
  ),
  XAccelBuffering: only(
    "no",
    "Sent with an event stream. Tells proxies such as nginx to pass on each event at once.",
  ),
  NextLink: text(
    'Address of the next page, `rel="next"` (RFC 8288). Absent on the last page, except with `order=asc`.',
    '<http://localhost:8080/v1/pets?limit=20&cursor=AAAAAAAAACgbX1p1m0x2jw>; rel="next"',
  ),
  IdempotentReplayed: only(
    "true",
    "`true` if this response was recorded for an earlier request with the same `Idempotency-Key`.",
  ),
  Deprecation: always(
    "The time when the operation became deprecated (RFC 9745): `@`, followed by the seconds since 1970.",
    "@1767225600",
  ),
  Sunset: always("The time when the operation will be removed (RFC 8594).", "Thu, 05 Dec 2030 00:00:00 GMT"),
  DeprecationLinks: always(
    "Links to the deprecation notice (`deprecation`, `sunset`) and to the operation to use instead (`successor-version`); with an error, also to " +
      "its description (`describedby`).",
    '<http://localhost:8080/v1/pets>; rel="successor-version"',
  ),
  ErrorLink: always(
    "Link to the description of the error code: when it occurs, and what to do.",
    '<http://localhost:8080/docs/errors#not_found>; rel="describedby"; type="text/html"',
  ),
  WWWAuthenticate: always(
    "The authentication challenge (RFC 6750 §3), with an error code if the request had a key.",
    'Bearer realm="petstore"',
  ),
  Challenge: text(
    "The authentication challenge (RFC 6750 §3.1), sent with `forbidden` if the key's access is not enough.",
    'Bearer realm="petstore", error="insufficient_scope", scope="read-write"',
  ),
  Allow: text(
    "The methods that this path accepts (RFC 9110 §10.2.1), sent with `method_not_allowed`.",
    "GET, HEAD, OPTIONS",
  ),
  RetryAfter: {
    description:
      "Seconds to wait before trying again (RFC 9110 §10.2.3), sent with `idempotency_in_progress`, `rate_limited` and `unavailable`.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  Accept: text("Media types that the operation accepts.", "application/json"),
  AcceptPost: text("Media types that the operation accepts (W3C LDP §7.1).", "application/json"),
  AcceptPatch: text(
    "Media types that the operation accepts (RFC 5789 §3.1).",
    "application/merge-patch+json, application/json",
  ),
  AcceptEncoding: text(
    "Content codings that the operation accepts (RFC 9110 §12.5.3), sent if the body had a different coding.",
    "identity",
  ),
  PetstoreSimulated: only("true", "`true` if `Petstore-Simulate` requested this error."),
  RateLimitPolicy: text(
    "The request limit of the key, if a limit is set: `q` requests in `w` seconds.",
    '"default";q=600;w=60',
  ),
  RateLimit: text(
    "Number of requests left (`r`), and seconds until the count starts again (`t`). A request with a 304 response is not counted.",
    '"default";r=599;t=42',
  ),
} as const;

/**
 * Headers that an API document does not list for each operation, with the component that describes each header. Instead, the
 * document's description says which responses have these headers.
 */
export const generalHeaders: readonly (readonly [keyof typeof headerComponents, name: string, of: string])[] =
  [
    ["XRequestId", "X-Request-Id", "Every answer"],
    ["RateLimitPolicy", "RateLimit-Policy", "Answers to counted requests"],
    ["RateLimit", "RateLimit", "Answers to counted requests"],
    ["ErrorLink", "Link", "Every error"],
    ["PetstoreSimulated", "Petstore-Simulated", "Every simulated error"],
  ];

/** Describes the `Location` header for OpenAPI. @param path the path to use in the example, relative to the base address */
export function locationHeader(path: string) {
  return always("Address of the resource that the body contains.", `http://localhost:8080/v1${path}`);
}

function field(name: string, description: string, pattern: RegExp | undefined, example: string) {
  const schema = { type: "string" as const, ...(pattern && { pattern: pattern.source }) };
  return { name, in: "header" as const, required: false, description, schema, example };
}

export const headerParameters = {
  IdempotencyKey: field(
    "Idempotency-Key",
    "Makes a retry safe. For 24 hours, a request with the same key and the same body (compared as JSON) gets the recorded response, " +
      `and the operation is not repeated. 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters, with or without quotes. ` +
      "A 4xx or 5xx response is not recorded.",
    IDEMPOTENCY_KEY_PATTERN,
    "8e03978e-40d5-43e8-bc93-6894a57f9324",
  ),
  IfMatch: field(
    "If-Match",
    "The `ETag` of the version that you want to change, or `*` for any version. The response is 412 if the resource has " +
      "changed since then (RFC 9110 §13.1.1); the comparison is strong.",
    ENTITY_TAGS_PATTERN,
    ENTITY_TAG,
  ),
  LastEventId: field(
    "Last-Event-ID",
    "For an event stream: the `id` of the last event that you received. The stream begins with the next event; with 0, it begins with the oldest event. The response is 400 if no event has this `id` yet.",
    LAST_EVENT_ID_PATTERN,
    "2",
  ),
  PetstoreSimulate: field(
    "Petstore-Simulate",
    "Simulates a failure, so that you can test how your program reacts. If the value is an error code of this operation, the service " +
      "responds with that error, and does not execute the request. If the value is " +
      `\`delay=MS\` (0 to ${SIMULATED_DELAY_MS_MAX}), the service executes the request, and responds MS milliseconds later. If the value is ` +
      "`lose-answer`, the service executes the request, and closes the connection without a response. If you append `; times=N` " +
      `(1 to ${SIMULATED_TIMES_MAX}), only the first N requests that this API key sends with the same value are affected. The count starts ` +
      `again after 10 minutes without such a request, or after ${SIMULATION_COUNTS_MAX} other values.`,
    SIMULATE_PATTERN,
    "unavailable; times=2",
  ),
  IfNoneMatch: field(
    "If-None-Match",
    "An earlier `ETag`. The response is 304 if the resource or page has not changed since then (RFC 9110 §13.1.2).",
    undefined,
    ENTITY_TAG,
  ),
  IfNoneMatchOfChange: field(
    "If-None-Match",
    "An `ETag`. If the resource still has this version, the change is refused with 412; `*` stands for any version (RFC 9110 §13.1.2).",
    ENTITY_TAGS_PATTERN,
    ENTITY_TAG,
  ),
};

export type HeaderNames = Readonly<Record<string, keyof typeof headerComponents>>;

export function headerRefs(headers: HeaderNames) {
  const refs = Object.entries(headers).map(
    ([name, component]) => [name, { $ref: `#/components/headers/${component}` }] as const,
  );
  return Object.fromEntries(refs);
}

export function parameterRef(name: keyof typeof headerParameters) {
  return { $ref: `#/components/parameters/${name}` } as const;
}
