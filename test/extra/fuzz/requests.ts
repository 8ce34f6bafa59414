import fc from "fast-check";
import { type Described, type Schema, writeExactly } from "../../conformity/document.ts";

/** A random request for one operation. It can be valid or invalid. */
export interface Shot {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n, -1n),
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 40n }) },
);
const text = fc.string({ unit: "binary", maxLength: 40 });

/** Generates random values that a JSON schema allows. */
export function allowedBy(reference: Schema, resolve: Described["resolve"]): fc.Arbitrary<unknown> {
  const schema = resolve(reference);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => allowedBy(one, resolve)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.format === "date-time") return instant;
  switch (schema.type) {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, one]) => [name, allowedBy(one, resolve)]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    case "array":
      return fc.array(allowedBy(schema.items ?? {}, resolve), { minLength: 1, maxLength: 10 });
    case "integer":
      if (schema.minimum !== undefined && schema.minimum === schema.maximum)
        return fc.constant(schema.minimum);
      return int64.filter(
        (one) => one >= BigInt(schema.minimum ?? one) && one <= BigInt(schema.maximum ?? one),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default: {
      if (schema.pattern?.includes("://")) return address;
      const pattern = new RegExp(schema.pattern ?? "", "u");
      return text.filter((one) => one.length >= (schema.minLength ?? 0) && pattern.test(one));
    }
  }
}

/**
 * Addresses for webhooks. The service never delivers to them, because the host names do not exist and private addresses are
 * refused.
 */
const address = fc.constantFrom(
  "https://hooks.example.invalid/a?b=c",
  "http://x.invalid",
  "http://10.0.0.1/",
);

const instant = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Generates valid or nearly valid JSON: any values, duplicate members, deep nesting, huge numbers, and broken text. */
export const hostileBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
  fc.integer({ min: 60_000, max: 70_000 }).map((length) => `{"name":"${"a".repeat(length)}","categoryId":1}`),
  fc.constantFrom(
    "1e400",
    "-1e-400",
    "9".repeat(5_000),
    "0.1e1",
    "-0",
    "1.0",
    "NaN",
    "01",
    "1.",
    "\ufeff{}",
    '"\\ud800"',
  ),
  fc
    .tuple(fc.constantFrom("__proto__", "constructor", "name", "toString"), fc.json())
    .map(([name, value]) => `{"categoryId":1,"name":"x","${name}":${value},"x":${value}}`),
  int64.map(
    (one) =>
      `{"name":"x","categoryId":${one}${"0".repeat(Number(one & 3n))}.${"0".repeat(Number(one & 7n))}}`,
  ),
);

/** Generates the body of a request: a valid one, one with a changed member, one that is cut off, a hostile one, or none. */
function bodyFor({ body, resolve }: Described): fc.Arbitrary<string | Uint8Array | undefined> {
  if (body === undefined) return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, hostileBody);
  const allowed = allowedBy(body, resolve).map(writeExactly);
  const changed = fc
    .tuple(
      allowedBy(body, resolve),
      fc.constantFrom("name", "categoryId", "status", "petId", "quantity", "message"),
      fc.jsonValue(),
    )
    .map(([value, name, other]) => writeExactly({ ...(value as object), [name]: other }));
  const cut = fc.tuple(allowed, fc.nat(60)).map(([whole, length]) => whole.slice(0, length));
  return fc.oneof(
    { weight: 6, arbitrary: allowed },
    { weight: 3, arbitrary: changed },
    cut,
    hostileBody,
    fc.constant(undefined),
  );
}

/** Generates the value of a request parameter as text, either a valid value or an arbitrary one. */
function parameterText(
  schema: Schema,
  resolve: Described["resolve"],
  known: readonly string[],
): fc.Arbitrary<string> {
  const isKnown = schema.type === "string" && known.length > 0;
  const fitting = isKnown
    ? fc.constantFrom(...known)
    : allowedBy(schema, resolve).map((value) => (Array.isArray(value) ? value.join() : String(value)));
  return fc.oneof(
    { weight: 3, arbitrary: fitting },
    text,
    fc.constantFrom("", "1.0", "+1", "%", "0x1", "1e3", "٣", "null"),
  );
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function headersFor(key: string): fc.Arbitrary<Record<string, string>> {
  const visible = fc.string({
    unit: fc.constantFrom(..."abcXYZ019-._~!#$%&'*+/=?^`{|}()<>@,;:"),
    minLength: 1,
    maxLength: 60,
  });
  return fc
    .record(
      {
        Authorization: fc.oneof(
          { weight: 20, arbitrary: fc.constant(`Bearer ${key}`) },
          visible.map((one) => `Bearer ${one}`),
          visible,
        ),
        "Content-Type": fc.oneof(
          { weight: 8, arbitrary: fc.constant("application/json") },
          fc.constantFrom(
            "application/merge-patch+json",
            "text/plain",
            "none",
            "application/json; charset=latin1",
          ),
          visible,
        ),
        "Idempotency-Key": fc.oneof(
          fc.constantFrom("a", '"a"', "b", '"', "x".repeat(256)),
          visible,
          fc.uuid(),
        ),
        "If-Match": fc.oneof(
          { weight: 6, arbitrary: fc.constant("*") },
          fc.constantFrom('"a"', 'W/"a", "b"', '"', ","),
          visible,
        ),
        "If-None-Match": fc.oneof(fc.constantFrom("*", 'W/"a"', '"'), visible),
        Accept: fc.oneof(
          fc.constantFrom("application/problem+json", "*/*", "text/html", "application/json;q=2"),
          visible,
        ),
        "X-Request-Id": visible,
        "Content-Encoding": fc.constantFrom("gzip", "identity"),
      },
      { requiredKeys: ["Authorization", "Content-Type"] },
    )
    .map(({ "Content-Encoding": coding, ...headers }) => ({
      ...headers,
      // Content-Encoding is rarely sent, because the service would refuse many bodies with it.
      ...(coding !== undefined && headers.Accept === "*/*" ? { "Content-Encoding": coding } : {}),
    }));
}

/** Generates random requests for an operation from its description. `known` contains identifiers of existing resources. */
export function shotsAt(operation: Described, key: string, known: readonly string[]): fc.Arbitrary<Shot> {
  const { parameters, path, method, resolve } = operation;
  const texts = parameters
    .filter((parameter) => parameter.in !== "header")
    .map((parameter) =>
      fc.record({
        parameter: fc.constant(parameter),
        value: parameterText(parameter.schema, resolve, parameter.in === "path" ? known : []),
        times: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 1, 1, 2),
      }),
    );
  const stranger = fc.oneof(
    { weight: 9, arbitrary: fc.constant("") },
    text.map((name) => `${encode(name)}=1`),
  );
  const body = method === "GET" ? fc.constant(undefined) : bodyFor(operation);
  return fc
    .tuple(fc.tuple(...texts), stranger, headersFor(key), body)
    .map(([given, extra, headers, sent]) => {
      let target = path;
      const query = extra === "" ? [] : [extra];
      for (const { parameter, value, times } of given) {
        // A path segment is never empty, because that would be a different path. It never consists only of dots, because the client
        // would resolve those before it sends the request.
        const segment = /^\.*$/.test(value) ? "0" : encode(value);
        if (parameter.in === "path") target = target.replace(`{${parameter.name}}`, segment);
        else for (let count = 0; count < times; count++) query.push(`${parameter.name}=${encode(value)}`);
      }
      return { target: query.length === 0 ? target : `${target}?${query.join("&")}`, headers, body: sent };
    });
}
