import { serversOf } from "../api/server-urls.ts";
import { type Document, emitDocument } from "../contract/openapi/openapi.ts";
import type { StaticPage } from "../http/static/page.ts";

/**
 * The OpenAPI document at `/openapi.json`. It is emitted once, with a placeholder for each server URL; a response has
 * this service's URL as the client reached it, and the other services' from `addressOf`.
 */
export function documentPage(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): StaticPage {
  const text = emitDocument(document, serversOf(document, placeholderFor));
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return {
    path: "/openapi.json",
    async respond({ base }) {
      let body = text;
      for (const service of document.services) {
        const address = service === own ? base : addressOf(service);
        body = body.replace(JSON.stringify(placeholderFor(service)), () => JSON.stringify(address));
      }
      return { status: 200, headers, body };
    },
  };
}

function placeholderFor(service: string): string {
  return `address-of:${service}`;
}
