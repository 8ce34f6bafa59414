/** Parses the address of a destination. Returns undefined unless it is http or https, without a fragment. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}
