/** Parses a destination's address: http or https, without a fragment; undefined for any other. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}
