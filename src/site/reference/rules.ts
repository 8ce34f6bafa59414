import { RULES } from "../../api/openapi-documents.ts";
import { generalHeaders, headerComponents } from "../../contract/openapi/headers.ts";
import { type DescribedDocument, type Header, operationsOf } from "./described-document.ts";

/** A rule that several operations share. It has its own section before the operations, and the operations link to it. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** Paragraphs of Markdown, separated by blank lines. */
  readonly text: string;
  readonly fields: readonly RuleField[];
  /** True if every response has these headers. Operations then do not list them. */
  readonly isEverywhere?: true;
}

type RuleField = Header & { readonly name: string };

/** The API's rules, keyed by the OpenAPI component (a header or a parameter) that they describe. */
export type RulesByField = ReadonlyMap<string, Rule>;

/** The base address of a service, and the origin of the console. The origin is empty if the same service serves the console. */
export interface RuleAddresses {
  readonly base: string;
  readonly consoleOrigin: string;
}

/** Returns the rules for an OpenAPI document. Rules about headers that the document does not contain are left out. */
export function findRules(
  document: DescribedDocument,
  { base, consoleOrigin }: RuleAddresses,
): readonly Rule[] {
  const known = fieldsOf(document, new URL(base).origin);
  return ALL.flatMap(({ fields, text, ...rule }) => {
    const found = fields.flatMap((field) => known.get(field) ?? []);
    if (fields.length > 0 && found.length === 0) return [];
    return [{ ...rule, text: text.replace("(/keys)", `(${consoleOrigin}/keys)`), fields: found }];
  });
}

export function rulesByField(rules: readonly Rule[]): RulesByField {
  return new Map(rules.flatMap((rule) => rule.fields.map(({ title = "" }) => [title, rule])));
}

/**
 * Returns the headers and parameters of an OpenAPI document, keyed by component: those that its description mentions, and those
 * of its operations.
 */
function fieldsOf(document: DescribedDocument, origin: string): ReadonlyMap<string, RuleField> {
  const described = generalHeaders
    .filter(([, name]) => document.info.description.includes(`\n| \`${name}\` |`))
    .map(([title, name]) => ({ ...headerComponents[title], title, name }))
    .map((field) => ({ ...field, example: String(field.example).replace("http://localhost:8080", origin) }));
  const fields = operationsOf(document).flatMap(({ parameters = [], responses }) => [
    ...parameters,
    ...Object.values(responses).flatMap(({ headers = {} }) =>
      Object.entries(headers).map(([name, header]) => ({ ...header, name })),
    ),
  ]);
  return new Map([...described, ...fields].map((field) => [field.title ?? "", field]));
}

type RuleSource = Omit<Rule, "fields"> & { readonly fields: readonly string[] };

/** The rules for all OpenAPI documents. The `fields` of a rule are names of components in the documents. */
const ALL: readonly RuleSource[] = [
  {
    id: "authentication",
    title: "Authentication",
    isEverywhere: true,
    fields: ["WWWAuthenticate"],
    text: `${RULES.key} Create a key in the console under [API keys](/keys), or with \`petstore keys create\`. Copy the key at once, because it is shown only once.

Each key works in only one environment: \`pet_live_…\` keys in production, \`pet_test_…\` keys in staging. A key has one of three kinds of access: it can only read (\`read\`), it can also place, complete and cancel orders (\`sell\`, for a till), or it can read and write everything (\`read-write\`).`,
  },
  {
    id: "paging",
    title: "Paging",
    fields: ["NextLink"],
    text: "A list is returned in pages of at most `limit` items. The header `Link` contains the address of the next page. To read the whole list, request exactly this address, and continue in the same way until a response has no `Link`. If items are added between two requests, no item is repeated or skipped.",
  },
  {
    id: "errors",
    title: "Errors",
    isEverywhere: true,
    text: `${RULES.error} ${RULES.problem}\n\nYour program should look at the \`code\` to decide what to do: [the list of codes](/docs/errors) says when each error occurs and what to do.`,
    fields: ["ErrorLink", "RetryAfter", "Accept", "AcceptPost", "AcceptPatch", "AcceptEncoding"],
  },
  {
    id: "rate-limits",
    title: "Rate limits",
    isEverywhere: true,
    fields: ["RateLimitPolicy", "RateLimit"],
    text: "`PETSTORE_RATE_LIMIT` limits the requests of each key. If a key sends more requests, the response is 429 [`rate_limited`](/docs/errors#rate_limited): wait as many seconds as `Retry-After` says.",
  },
  {
    id: "idempotency",
    title: "Idempotency",
    fields: ["IdempotencyKey", "IdempotentReplayed"],
    text: "Send a new `Idempotency-Key` with each `POST`. After a lost connection, 429 or 503, repeat the request with the same key. The service executes the request only once.",
  },
  {
    id: "conditional-requests",
    title: "Conditional requests",
    text: "When you change a resource, send its `ETag` in `If-Match`: if somebody else has changed the resource since you read it, you get 412, and nothing is overwritten. When you read a resource again, send its `ETag` in `If-None-Match`: if the resource is unchanged, the response is 304, without a body.",
    fields: ["IfMatch", "IfNoneMatch", "IfNoneMatchOfChange", "ETag", "PageETag"],
  },
  { id: "integers", title: "64-bit integers", text: RULES.integers, fields: [] },
  {
    id: "versions",
    title: "Versions",
    fields: ["Deprecation", "Sunset", "DeprecationLinks"],
    text: `The base address ends with the version, \`v1\`. Later releases may add members, header fields and error codes, so let your program ignore those that it does not know. An operation marked \`beta\` may change.

Before an operation is removed, it is deprecated, and its responses give the date of the removal. From that date on, the response is 410 [\`gone\`](/docs/errors#gone). [Deprecated operations](/docs/deprecations) lists all of them.`,
  },
  {
    id: "every-answer",
    title: "Every answer",
    isEverywhere: true,
    fields: ["XRequestId"],
    text: `${RULES.head}\n\n${RULES.headers}`,
  },
  {
    id: "simulated-errors",
    title: "Simulated errors",
    fields: ["PetstoreSimulate", "PetstoreSimulated"],
    text: "In staging, your program can request an error, so that you can test how the program reacts. Production refuses such requests.",
  },
];
