const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The length of a `traceparent` header of version 00, in characters. */
const LENGTH = 55;

/** Converts a `traceparent` header to version 00 (W3C Trace Context level 2, §3.2). @returns undefined if the header is invalid */
export function readTraceparent(header: string | null): string | undefined {
  if (header === null) return undefined;
  const [, version = "ff", traceId = "", spanId = "", more] = SHAPE.exec(header) ?? [];
  // A `traceparent` header of version 00 has four fields. Later versions may have more.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : `00${header.slice(2, LENGTH)}`;
}

export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}
