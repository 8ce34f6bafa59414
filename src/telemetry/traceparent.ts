/** The caller's span (W3C Trace Context level 2, §3.2). */
export interface Traceparent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the caller's span. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Reads the `traceparent` header; an invalid one counts as absent. */
export function parseTraceparent(header: string | null): Traceparent | undefined {
  if (header === null) return undefined;
  const [, version = "ff", traceId = "", spanId = "", flags = "", more] = SHAPE.exec(header) ?? [];
  // Version 00 has four fields; a later one may have more behind them.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
