import type { StaticPage } from "../http/static/page.ts";
import { API_CATALOG, ASSETS, FILES_PATH, GUIDES_PATH, SEARCH_INDEX, type Site } from "./site.ts";

type Respond = StaticPage["respond"];

/** A page whose modules are imported when the page is first requested, instead of at the start of the program. */
function lazyPage(path: string, load: () => Promise<Respond>): StaticPage {
  let loaded: Promise<Respond> | undefined;
  return {
    path,
    async respond(addresses, context) {
      loaded ??= load();
      const respond = await loaded;
      return respond(addresses, context);
    },
  };
}

export function referencePages(site: Site): readonly StaticPage[] {
  return [
    lazyPage("/openapi.json", async () => (await import("./document-page.ts")).documentPage(site)),
    lazyPage("/docs", async () => (await import("./reference/reference-page.ts")).referencePage(site)),
    lazyPage(SEARCH_INDEX, async () => (await import("./search-entries.ts")).searchIndex(site)),
    lazyPage(`${ASSETS}/:name`, async () => (await import("./assets.ts")).respondWithAsset),
    lazyPage("/docs/errors", async () => (await import("./contract-pages.ts")).errorPage(site)),
    lazyPage("/docs/deprecations", async () => (await import("./contract-pages.ts")).deprecationPage(site)),
    lazyPage(API_CATALOG, async () => (await import("./document-page.ts")).respondWithCatalog),
    site.own === "messages"
      ? lazyPage("/", async () => (await import("./contract-pages.ts")).startPage(site))
      : lazyPage("/docs/client.js", async () => (await import("./assets.ts")).respondWithClient),
  ];
}

export function guidePages(site: Site): readonly StaticPage[] {
  return [
    lazyPage(GUIDES_PATH, async () => (await import("./guides/guide-page.ts")).contentsPage(site)),
    lazyPage(`${GUIDES_PATH}/:name`, async () => (await import("./guides/guide-page.ts")).guidePage(site)),
    lazyPage(`${FILES_PATH}/:name`, async () => (await import("./guides/guide-files.ts")).respondWithFile),
  ];
}
