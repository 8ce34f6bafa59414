import { matchesEntityTag } from "../http/answer.ts";
import { createAssetGiver } from "../http/assets.ts";
import type { OpenPage } from "../http/open-page.ts";
import { type PagePart, pageAssets } from "../http/page-parts.ts";

export const CLIENT_PARTS = {
  module: {
    name: "client.js",
    type: "text/javascript; charset=utf-8",
    source: () => new URL("../client/client.ts", import.meta.url),
    isBundled: true,
  },
} satisfies Record<string, PagePart>;

const loadClient = pageAssets(CLIENT_PARTS);

/**
 * The typed client as one module, for pages of whatever origin:
 * `import { createClient } from "http://localhost:8080/docs/client.js"`.
 */
export function clientPage(): OpenPage {
  const give = createAssetGiver();
  return {
    path: "/docs/client.js",
    async answer(_addresses, { request }) {
      const { module } = await loadClient();
      const tag = `"${module.name}"`;
      // Weak: it is the same module in every coding.
      const keeping = { "Cache-Control": "no-cache", ETag: `W/${tag}` };
      if (matchesEntityTag(request.headers.get("if-none-match") ?? "", tag))
        return { status: 304, headers: { ...keeping, Vary: "Accept-Encoding" }, body: null };
      return give(module, request, keeping);
    },
  };
}
