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
  const render = documentRenderer(document, own, addressOf);
  // Nearly all clients use the same base address.
  let last: { readonly base: string; readonly serve: ServeRevalidated } | undefined;
  return {
    path: "/openapi.json",
    async respond({ base }, { request }) {
      if (last?.base !== base) {
        const asset = hashedAsset("openapi.json", "application/json", Buffer.from(render(base)));
        last = { base, serve: createRevalidatedServer(asset, BEST_COMPRESSION_BYTES_MAX) };
      }
      return last.serve(request);
    },
  };
}
