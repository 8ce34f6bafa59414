/** Parses the address that something is delivered to. Undefined unless it is an http or https URL without a fragment. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}
