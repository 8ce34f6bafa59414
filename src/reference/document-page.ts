import { serversOf } from "../api/server-urls.ts";
import { type Document, emitDocument } from "../contract/openapi/openapi.ts";
import type { StaticPage } from "../http/static/page.ts";

/**
 * The OpenAPI document at `/openapi.json`. It is written once, with a blank for each address: this service's own is the
 * one that the reader came by, the other's the one that `addressOf` knows.
 */
export function documentPage(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): StaticPage {
  const text = emitDocument(document, serversOf(document, blankFor));
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return {
    path: "/openapi.json",
    async respond({ base }) {
      let body = text;
      for (const service of document.services) {
        const address = service === own ? base : addressOf(service);
        body = body.replace(JSON.stringify(blankFor(service)), () => JSON.stringify(address));
      }
      return { status: 200, headers, body };
    },
  };
}

function blankFor(service: string): string {
  return `address-of:${service}`;
}
