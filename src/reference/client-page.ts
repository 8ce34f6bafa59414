import { createRevalidatedServer, type ServeRevalidated } from "../http/static/assets.ts";
import { type Bundle, loadBundles } from "../http/static/bundles.ts";
import type { StaticPage } from "../http/static/page.ts";

export const CLIENT_BUNDLES = {
  module: {
    name: "client.js",
    type: "text/javascript; charset=utf-8",
    source: () => new URL("../../client/src/client.ts", import.meta.url),
    isBundled: true,
  },
} satisfies Record<string, Bundle>;

const loadClient = loadBundles(CLIENT_BUNDLES);

/**
 * The typed client as one module, for pages of any origin:
 * `import { createClient } from "http://localhost:8080/docs/client.js"`.
 */
export function clientPage(): StaticPage {
  let serve: ServeRevalidated | undefined;
  return {
    path: "/docs/client.js",
    async respond(_addresses, { request }) {
      const { module } = await loadClient();
      serve ??= createRevalidatedServer(module);
      return serve(request);
    },
  };
}
