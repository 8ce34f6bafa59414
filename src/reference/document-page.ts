import { documentAt } from "../api/openapi-documents.ts";
import { documentRenderer } from "../api/server-urls.ts";
import type { Document } from "../contract/openapi/openapi.ts";
import { createRevalidatedServer, hashedAsset, type ServeRevalidated } from "../http/static/assets.ts";
import type { StaticPage } from "../http/static/page.ts";

/** The best compression takes longer than a client at a new address should wait. */
const BEST_COMPRESSION_BYTES_MAX = 0;

/** The OpenAPI document at `/openapi.json`, with this service's address as the client reached it. */
export function documentPage(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): StaticPage {
  // Emitted again once an operation has been removed.
  let emitted: { readonly count: number; readonly render: (base: string) => string } | undefined;
  // Nearly all clients use the same base address.
  let last: { readonly base: string; readonly serve: ServeRevalidated } | undefined;
  return {
    path: "/openapi.json",
    async respond({ base }, { request, now }) {
      const current = documentAt(document, now);
      const count = current.operations.length;
      if (emitted?.count !== count) {
        emitted = { count, render: documentRenderer(current, own, addressOf) };
        last = undefined;
      }
      if (last?.base !== base) {
        const asset = hashedAsset("openapi.json", "application/json", Buffer.from(emitted.render(base)));
        last = { base, serve: createRevalidatedServer(asset, BEST_COMPRESSION_BYTES_MAX) };
      }
      return last.serve(request);
    },
  };
}
