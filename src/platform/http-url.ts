/**
 * Parses the address that deliveries are sent to. It must be an http or https URL without a fragment. Returns undefined for any
 * other text.
 */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}
