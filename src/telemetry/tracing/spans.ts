import type { RandomBytes } from "../../platform/random.ts";
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

/** A span that has not ended. */
type Begun = Pick<Span, "traceId" | "spanId" | "parentId" | "startedAt">;

/** Begins the spans of one request; each is handed to `record` when it has ended. */
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
    beginVerb: (operationId) => beginVerb(operationId, begin(request.spanId), begin, end),
    end: (answered) =>
      end(request, {
        name: nameOf(answered),
        kind: "server",
        attributes: attributesOf(answered),
        isFault: answered.status >= 500 && !answered.simulated,
      }),
  };
}

function beginVerb(
  operationId: string,
  verb: Begun,
  begin: (parentId: string) => Begun,
  end: (span: Begun, rest: Pick<Span, "name" | "kind" | "attributes" | "isFault">) => void,
): VerbTrace {
  return {
    beginStatement(sql) {
      const span = begin(verb.spanId);
      const [name = ""] = sql.trimStart().split(/\s/, 1);
      return (isFault) => end(span, { name, kind: "client", attributes: { "db.query.text": sql }, isFault });
    },
    end: () => end(verb, { name: operationId, kind: "internal", attributes: {}, isFault: false }),
  };
}

/** Named by OpenTelemetry's semantic conventions, where they have a name. */
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

/** Any other word comes from the client, and is replaced. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
