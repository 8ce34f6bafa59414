/** What a client takes, by weight (RFC 9110 §12.4.2): media ranges of `Accept`, codings of `Accept-Encoding`. */
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
