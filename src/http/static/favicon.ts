import { createAssetServer } from "./assets.ts";
import { bundle, loadBundles } from "./bundles.ts";
import type { StaticPage } from "./page.ts";

export const FAVICON_BUNDLES = {
  favicon: bundle("favicon.ico", "src/http/static/favicon.ico"),
};

const loadFavicon = loadBundles(FAVICON_BUNDLES);

/** Serves the icon at `/favicon.ico`. Browsers request this address for every page that does not name an icon. */
export function faviconPage(): StaticPage {
  const serve = createAssetServer();
  return {
    path: "/favicon.ico",
    respond: async (_addresses, { request }) =>
      serve((await loadFavicon()).favicon, request, { "Cache-Control": "public, max-age=604800" }),
  };
}
