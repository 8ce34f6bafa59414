const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The caller's trace id from a `traceparent` header (W3C Trace Context level 2, §3.2): 32 hexadecimal digits. An invalid header counts as absent. */
export function readTraceId(header: string | null): string | undefined {
  if (header === null) return undefined;
  const [, version = "ff", traceId = "", spanId = "", more] = SHAPE.exec(header) ?? [];
  // Version 00 has four fields; a later one may have more behind them.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : traceId;
}
