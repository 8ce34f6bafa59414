import type { Reply } from "../wire/send.ts";
import { type Described, type Header, type Response, readExactly, type Schema } from "./document.ts";

/**
 * Headers for message framing and connections, which HTTP itself defines (RFC 9112). `Content-Type` is left out because it is the
 * key of `content`.
 */
const TRANSPORT = ["Connection", "Content-Length", "Content-Type", "Date", "Transfer-Encoding"];

/** Headers that the OpenAPI document describes only once, for all responses. */
export const CACHING = ["Cache-Control", "Vary"];
/** Headers that every response has for the security of browsers. */
export const BROWSER_POLICY = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Content-Security-Policy",
  "Cross-Origin-Resource-Policy",
  "X-Content-Type-Options",
];

const UNDECLARED = new Set([...TRANSPORT, ...CACHING, ...BROWSER_POLICY].map((name) => name.toLowerCase()));

const SENT_BY_FETCH = new Set(
  [...TRANSPORT, "Accept", "Accept-Encoding", "Host"].map((name) => name.toLowerCase()),
);

const EVENT_STREAM = "text/event-stream";

/**
 * Returns what the OpenAPI document says about responses with a status: the description of exactly this status if there is one, or
 * else `default`.
 */
function responseOf({ responses }: Described, status: number | string): Response {
  return responses[status] ?? responses["default"] ?? {};
}

/**
 * Headers that the OpenAPI document describes only in the `default` response, each with the statuses that it is sent with and, if
 * only one method has it, with that method.
 */
const DEFAULT_HEADERS: Readonly<
  Record<string, { readonly of: readonly number[]; readonly method?: string }>
> = {
  "WWW-Authenticate": { of: [403] },
  Allow: { of: [405] },
  Accept: { of: [415] },
  "Accept-Post": { of: [415], method: "POST" },
  "Accept-Patch": { of: [415], method: "PATCH" },
  "Accept-Encoding": { of: [415] },
  "Retry-After": { of: [429, 503] },
};

/**
 * Returns all headers that the OpenAPI document declares for an operation's responses with this status: those of the response
 * itself, and those in the document's general description.
 */
export function headersOf(operation: Described, status: number): Readonly<Record<string, Header>> {
  const isListed = status in operation.responses;
  const own = Object.entries(responseOf(operation, status).headers ?? {}).flatMap(([name, header]) => {
    if (isListed) return [[name, header] as const];
    const { of, method = operation.method } = DEFAULT_HEADERS[name] ?? { of: [] };
    if (!of.includes(status) || method !== operation.method) return [];
    return [[name, { ...header, required: status !== 415 }] as const];
  });
  const general = operation.general.flatMap(({ name, of }) => {
    const required = GENERAL[of]?.(status);
    return required === undefined ? [] : [[name, { required, schema: {} }] as const];
  });
  // A 405 is about a method that the path does not have, so it does not depend on whether an operation has been removed.
  const ending = operation.sunset === undefined || status === 405 ? [] : ["Deprecation", "Sunset", "Link"];
  const deprecation = ending.map((name) => [name, { required: true, schema: {} }] as const);
  return Object.fromEntries([...deprecation, ...general, ...own]);
}

/**
 * Phrases in the OpenAPI document that say which responses have a header. Each function returns true if a response with this status
 * must have the header, false if it may have it, and undefined if it must not.
 */
const GENERAL: Readonly<Record<string, (status: number) => boolean | undefined>> = {
  "Every answer": () => true,
  "Answers to counted requests": (status) => (status === 401 ? undefined : false),
  "Every error": (status) => (status >= 400 ? true : undefined),
  "Every simulated error": (status) => (status >= 400 && status !== 405 ? false : undefined),
};

/**
 * Returns the first fault in the description of an operation: a header that these tests do not know, or a difference from the table
 * of errors.
 */
export function untabled({ responses, errors, general }: Described): string | undefined {
  const unknown = [
    ...Object.keys(responses["default"]?.headers ?? {}).filter((name) => !(name in DEFAULT_HEADERS)),
    ...general.flatMap(({ of }) => (of in GENERAL ? [] : [of])),
  ];
  if (unknown.length > 0) return `the table of header fields has no ${unknown.join()}`;
  for (const [status, { content }] of Object.entries(responses)) {
    const rows = errors.filter((row) => String(row.status) === status);
    const examples = content?.["application/json"]?.examples ?? {};
    const found = Object.fromEntries(Object.entries(examples).map(([code, { value }]) => [code, value]));
    const expected = Object.fromEntries(
      rows.map(({ code, message }) => [code, { code, message, status: Number(status) }]),
    );
    if (Number(status) >= 400 && !Bun.deepEquals(found, expected))
      return `${status} lists other errors than the table`;
  }
  const others = errors.filter(({ status }) => !(status in responses)).map(({ code }) => code);
  const examples = responses["default"]?.content?.["application/json"]?.examples ?? {};
  const missing = others.filter((code) => !(code in examples));
  return missing.length === 0 ? undefined : `default has no ${missing.join()}`;
}

/**
 * Returns the first difference between a response and the OpenAPI document: something undeclared, or something missing. Returns
 * undefined if they agree.
 */
export function undocumented(operation: Described, { status, headers, body }: Reply): string | undefined {
  const response = responseOf(operation, status);
  if (!(status in operation.responses) && status < 400) return `no ${status} is documented: ${body}`;
  const fault = headerFault(headersOf(operation, status), headers);
  if (fault !== undefined) return `${status} ${fault}`;
  const contentType = headers.get("Content-Type");
  const isUnstored = status >= 400 || body.includes('"secret":') || contentType === EVENT_STREAM;
  const caching = isUnstored ? "no-store" : operation.method === "GET" ? "private, no-cache" : null;
  if (headers.get("Cache-Control") !== caching) return `${status} has another Cache-Control than ${caching}`;
  if ((status >= 400 || operation.method === "GET") && !headers.has("Vary")) return `${status} lacks Vary`;
  if (response.content === undefined) return body === "" ? undefined : `a ${status} with a body: ${body}`;
  // The OpenAPI document describes Problem Details only once, in `info`. If they were a second media type of each error, generated
  // clients would lose the members of Error.
  if (status >= 400 && contentType === "application/problem+json")
    return notAProblem(readExactly(body), status);
  const described = response.content[contentType ?? ""];
  if (described === undefined) return `no ${contentType} is documented for ${status}`;
  const value = contentType === EVENT_STREAM ? body : readExactly(body);
  const problem = mismatch(described.schema, value, operation.resolve, "#");
  if (problem !== undefined) return `${status} ${problem}: ${body}`;
  if (status >= 400 && (value as { status?: unknown }).status !== status) return `another status in ${body}`;
  if (status < 400) return undefined;
  const { code } = value as { code: string };
  const isKnown =
    status === 405 || operation.errors.some((row) => row.code === code && row.status === status);
  if (!isKnown) return `no ${code} is documented for ${status}: ${body}`;
  return contentType === "application/json" ? notAnError(value as object) : undefined;
}

const PROBLEM_MEMBERS = ["code", "detail", "errors", "status", "title", "type"];

/**
 * Returns the difference between a response's body and the Problem Details (RFC 9457) that the OpenAPI document describes in
 * `info`, or undefined if there is none.
 */
function notAProblem(value: unknown, status: number): string | undefined {
  const { errors, ...problem } = value as Record<string, unknown>;
  const others = Object.keys(problem).filter((name) => !PROBLEM_MEMBERS.includes(name));
  const missing = PROBLEM_MEMBERS.filter((name) => name !== "errors" && !(name in problem));
  if (others.length + missing.length > 0) return `a problem has ${others} and lacks ${missing}`;
  if (problem["status"] !== status) return `another status in a problem: ${JSON.stringify(value)}`;
  const isListed = ({ pointer, detail }: { pointer?: unknown; detail?: unknown }) =>
    typeof pointer === "string" && typeof detail === "string";
  if (errors !== undefined && !(errors as object[]).every(isListed)) return "errors have other members";
  return undefined;
}

/** Returns the first difference between a webhook delivery and the OpenAPI document, or undefined if they agree. */
export function undocumentedDelivery(
  described: Described,
  { headers, body }: { readonly headers: Headers; readonly body: string },
): string | undefined {
  const names = new Set(described.parameters.map(({ name }) => name.toLowerCase()));
  const extra = [...headers.keys()].find((name) => !names.has(name) && !SENT_BY_FETCH.has(name));
  if (extra !== undefined) return `sends ${extra}, which is not declared`;
  for (const { name, schema } of described.parameters) {
    const problem = mismatch(schema, headers.get(name), described.resolve, name);
    if (problem !== undefined) return problem;
  }
  return mismatch(described.body ?? {}, readExactly(body), described.resolve, "#");
}

/** Returns the names of a response's headers, except those that the OpenAPI document does not have to declare. */
export function declaredHeaders({ headers }: Reply): readonly string[] {
  return [...headers.keys()].filter((name) => !UNDECLARED.has(name));
}

function headerFault(declared: Readonly<Record<string, Header>>, sent: Headers): string | undefined {
  const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  const extra = [...sent.keys()].find((name) => !names.has(name) && !UNDECLARED.has(name));
  if (extra !== undefined) return `sends ${extra}, which is not declared`;
  const absent = BROWSER_POLICY.find((name) => !sent.has(name));
  if (absent !== undefined) return `lacks ${absent}, which every answer has`;
  for (const [name, { required = false, schema }] of Object.entries(declared)) {
    const value = sent.get(name);
    if (value === null && required) return `lacks ${name}, which is required`;
    if (value === null) continue;
    if (schema.type === "integer" && !/^\d+$/.test(value)) return `${name} is ${value}`;
    if (schema.const !== undefined && value !== schema.const) return `${name} is ${value}`;
  }
  return undefined;
}

function notAnError(value: object): string | undefined {
  const members = Object.keys(value).join();
  return members === "code,message,status" ? undefined : `an Error of ${members}`;
}

/** Returns the first place where a JSON value does not match a schema. */
function mismatch(
  reference: Schema,
  value: unknown,
  resolve: Described["resolve"],
  at: string,
): string | undefined {
  const schema = resolve(reference);
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((one) => mismatch(one, value, resolve, at) === undefined);
    return fits ? undefined : `${at} fits none of what it may be`;
  }
  if (schema.oneOf !== undefined) {
    const fits = schema.oneOf.filter((one) => mismatch(one, value, resolve, at) === undefined);
    return fits.length === 1 ? undefined : `${at} fits ${fits.length} of what it is one of`;
  }
  if (![schema.type].flat().includes(typeOf(value))) return `${at} is ${typeOf(value)}, not ${schema.type}`;
  if (schema.const !== undefined && value !== schema.const) return `${at} is ${value}`;
  if (schema.enum !== undefined && !schema.enum.includes(String(value))) return `${at} is ${value}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(String(value)))
    return `${at} is ${value}`;
  if (schema.maxLength !== undefined && String(value).length > schema.maxLength) return `${at} is too long`;
  if (schema.maxItems !== undefined && Object(value).length > schema.maxItems)
    return `${at} has too many items`;
  if (schema.minimum !== undefined && Number(value) < schema.minimum) return `${at} is ${value}`;
  if (schema.maximum !== undefined && BigInt(Number(value)) > BigInt(schema.maximum) + 1n)
    return `${at} is ${value}`;
  if (schema.format === "date-time" && !isInstant(String(value))) return `${at} is ${value}`;
  if (schema.type === "array")
    return firstOf(value as unknown[], (item, index) => check(schema.items, item, `${at}/${index}`));
  if (schema.type !== "object") return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const missing = schema.required?.find((name) => !(name in members));
  if (missing !== undefined) return `${at}/${missing} is missing`;
  return firstOf(Object.keys(members), (name) =>
    check(schema.properties?.[name], members[name], `${at}/${name}`),
  );

  function check(inner: Schema | undefined, item: unknown, place: string): string | undefined {
    return inner === undefined ? `${place} is not documented` : mismatch(inner, item, resolve, place);
  }
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}
