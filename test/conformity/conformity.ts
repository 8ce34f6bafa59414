import type { Reply } from "../wire/send.ts";
import { type Described, readExactly, type Schema } from "./document.ts";

/** Headers of message framing and connections (RFC 9112), which HTTP itself describes; `Content-Type` is the key of `content`. */
const TRANSPORT = ["Connection", "Content-Length", "Content-Type", "Date", "Transfer-Encoding"];

/** Headers that the document's description names once for all answers. */
export const CACHING = ["Cache-Control", "Vary"];
/** Headers for browsers, on every answer. */
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

/** First difference between an answer and the document: an undeclared or a missing part; undefined if they agree. */
export function undocumented(operation: Described, { status, headers, body }: Reply): string | undefined {
  const response = operation.responses[status];
  if (response === undefined) return `no ${status} is documented: ${body}`;
  const fault = headerFault(response.headers ?? {}, headers);
  if (fault !== undefined) return `${status} ${fault}`;
  const contentType = headers.get("Content-Type");
  const isUnstored = status >= 400 || body.includes('"secret":') || contentType === EVENT_STREAM;
  const caching = isUnstored ? "no-store" : operation.method === "GET" ? "private, no-cache" : null;
  if (headers.get("Cache-Control") !== caching) return `${status} has another Cache-Control than ${caching}`;
  if ((status >= 400 || operation.method === "GET") && !headers.has("Vary")) return `${status} lacks Vary`;
  if (response.content === undefined) return body === "" ? undefined : `a ${status} with a body: ${body}`;
  const described = response.content[contentType ?? ""];
  if (described === undefined) return `no ${contentType} is documented for ${status}`;
  const value = contentType === EVENT_STREAM ? body : readExactly(body);
  const problem = mismatch(described.schema, value, operation.resolve, "#");
  if (problem !== undefined) return `${status} ${problem}: ${body}`;
  if (status >= 400 && (value as { status?: unknown }).status !== status) return `another status in ${body}`;
  if (status < 400) return undefined;
  const { code } = value as { code: string };
  if (!(code in (described.examples ?? {}))) return `no ${code} is documented for ${status}: ${body}`;
  return contentType === "application/json" ? notAnError(value as object) : undefined;
}

/** First difference between a delivery and its document; undefined if they agree. */
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

/** Names of the sent headers that need a declaration. */
export function declaredHeaders({ headers }: Reply): readonly string[] {
  return [...headers.keys()].filter((name) => !UNDECLARED.has(name));
}

type DeclaredHeaders = NonNullable<Described["responses"][string]["headers"]>;

function headerFault(declared: DeclaredHeaders, sent: Headers): string | undefined {
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

/** First place at which a value does not match the schema. */
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
