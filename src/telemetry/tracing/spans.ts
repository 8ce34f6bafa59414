import type { RandomBytes } from "../../platform/random.ts";
import type { Query } from "../../storage/database.ts";
import type { Traceparent } from "./traceparent.ts";
import type { RequestTrace, TracedRequest, VerbTrace } from "./tracer.ts";

export type SpanKind = "internal" | "server" | "client";

/** A span that has ended. Times are milliseconds since 1970, with fractions. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFault: boolean;
}

/** What a span is until it ends. */
type Begun = Pick<Span, "traceId" | "spanId" | "parentId" | "startedAt">;

/** Spans of one request, made by hand; `record` is told of each when it has ended. */
export function beginRequest(
  caller: Traceparent | undefined,
  now: number,
  randomBytes: RandomBytes,
  record: (span: Span) => void,
): RequestTrace {
  const traceId = caller?.traceId ?? hex(randomBytes(16));
  const origin = now - performance.now();
  const begin = (parentId: string | undefined): Begun => ({
    traceId,
    spanId: hex(randomBytes(8)),
    parentId,
    startedAt: origin + performance.now(),
  });
  const end = (span: Begun, rest: Pick<Span, "name" | "kind" | "attributes" | "isFault">): void =>
    record({ ...span, endedAt: origin + performance.now(), ...rest });
  const request = begin(caller?.spanId);
  return {
    traceId,
    beginVerb: (operation) => beginVerb(operation, begin(request.spanId), begin, end),
    end: (answered) =>
      end(request, {
        name: nameOf(answered),
        kind: "server",
        attributes: attributesOf(answered),
        isFault: answered.status >= 500,
      }),
  };
}

function beginVerb(
  operation: string,
  verb: Begun,
  begin: (parentId: string) => Begun,
  end: (span: Begun, rest: Pick<Span, "name" | "kind" | "attributes" | "isFault">) => void,
): VerbTrace {
  const traced =
    (query: Query): Query =>
    async (statement, values) => {
      const span = begin(verb.spanId);
      let isFault = true;
      try {
        const rows = await query(statement, values);
        isFault = false;
        return rows;
      } finally {
        const [name = ""] = statement.sql.trimStart().split(/\s/, 1);
        end(span, { name, kind: "client", attributes: { "db.query.text": statement.sql }, isFault });
      }
    };
  return {
    traced,
    end: () => end(verb, { name: operation, kind: "internal", attributes: {}, isFault: false }),
  };
}

/** By the names of OpenTelemetry's semantic conventions where there is one. */
function attributesOf({ service, method, operation, status, requestId }: TracedRequest) {
  return {
    "http.request.method": knownMethod(method),
    "http.response.status_code": status,
    "petstore.service": service,
    "petstore.request_id": requestId,
    ...(operation !== undefined && { "http.route": operation.path, "petstore.operation": operation.id }),
  };
}

function nameOf({ method, operation }: TracedRequest): string {
  return operation === undefined ? knownMethod(method) : `${operation.method} ${operation.path}`;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Any other word is the client's own. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
