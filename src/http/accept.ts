/** The weight of each value of a header (RFC 9110 §12.4.2): media ranges of `Accept`, codings of `Accept-Encoding`. */
export function readWeights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(",")
      .map((range): [string, number] => {
        const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
}

/** True if the client prefers a media type to JSON. */
export function ranksAboveJson(accept: string | null, mediaType: string): boolean {
  if (accept === null || !accept.toLowerCase().includes(mediaType)) return false;
  const ranks = readWeights(accept);
  const json = ranks.get("application/json") ?? ranks.get("application/*") ?? ranks.get("*/*") ?? 0;
  return (ranks.get(mediaType) ?? 0) > json;
}
