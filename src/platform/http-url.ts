/**
 * Parses the address of a destination for deliveries. Returns undefined unless the address is an http or https URL without a
 * fragment.
 */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}
