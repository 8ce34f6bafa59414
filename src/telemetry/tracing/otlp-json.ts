import packageJson from "../../../package.json" with { type: "json" };
import type { Span, SpanKind } from "./spans.ts";

const KIND: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;

/** An `ExportTraceServiceRequest` as JSON (OTLP 1.x, "JSON Protobuf Encoding": identifiers in hexadecimal, 64-bit numbers as text). */
export function encodeSpans(spans: readonly Span[], serviceName: string) {
  const resource = {
    attributes: attributes({ "service.name": serviceName, "service.version": packageJson.version }),
  };
  const scope = { name: "petstore", version: packageJson.version };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] }] };
}

function encodeSpan(span: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    name: span.name,
    kind: KIND[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributes(span.attributes),
    status: span.isFault ? { code: STATUS_ERROR } : {},
  };
}

function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.floor((milliseconds - whole) * 1e6)));
}

function attributes(values: Readonly<Record<string, string | number>>) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}
