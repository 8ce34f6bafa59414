import { parseAccept } from "hono/utils/accept";

/**
 * Reads the weight of each value of a request header (RFC 9110 §12.4.2), such as a media range in `Accept` or a coding in
 * `Accept-Encoding`.
 */
export function readWeights(header: string): ReadonlyMap<string, number> {
  return new Map(parseAccept(header.toLowerCase()).map(({ type, q }) => [type, q]));
}

/** True if the client's `Accept` header ranks a media type above JSON. */
export function ranksAboveJson(accept: string | null, mediaType: string): boolean {
  if (accept === null || !accept.toLowerCase().includes(mediaType)) return false;
  const ranks = readWeights(accept);
  const json = ranks.get("application/json") ?? ranks.get("application/*") ?? ranks.get("*/*") ?? 0;
  return (ranks.get(mediaType) ?? 0) > json;
}
