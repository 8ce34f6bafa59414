/**
 * Matches a link (RFC 8288 §3): an address in angle brackets, followed by parameters. The quoted value of a parameter may contain
 * commas.
 */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]*))?)*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]*))/i;

/**
 * Finds the link with this relation in a `Link` header, and returns its target, which may be a relative address. Returns
 * undefined if there is no such link.
 */
export function findLink(header: string, relation: string): string | undefined {
  for (const [, address, parameters = ""] of header.matchAll(LINK)) {
    const [, quoted, plain = ""] = RELATION.exec(parameters) ?? [];
    if ((quoted ?? plain).toLowerCase().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
