import { type Document, type DocumentServer, emitDocument } from "../contract/openapi.ts";
import type { OpenPage } from "../http/open-page.ts";

/**
 * The OpenAPI document at `/openapi.json`. It is written once; the service's own address in it is the one that the
 * reader came by.
 *
 * @param own the address among `servers` that stands for this very service
 */
export function documentPage(document: Document, servers: readonly DocumentServer[], own: string): OpenPage {
  const text = emitDocument(document, servers);
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return {
    path: "/openapi.json",
    answer: async ({ base }) => ({
      status: 200,
      headers,
      body: text.replace(JSON.stringify(own), () => JSON.stringify(base)),
    }),
  };
}
