import type { StaticPage } from "../http/static/page.ts";
import { API_CATALOG, ASSETS, type Site } from "./site.ts";

type Respond = StaticPage["respond"];

/** A page whose modules are imported at its first request: a start needs none of them. */
export function lazyPage(path: string, load: () => Promise<Respond>): StaticPage {
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

/** The OpenAPI document of a service, its reference, and what header fields and errors link to. */
export function referencePages(site: Site): readonly StaticPage[] {
  return [
    lazyPage("/openapi.json", async () => (await import("./document-page.ts")).documentPage(site)),
    lazyPage("/docs", async () => (await import("./reference/reference-page.ts")).referencePage(site)),
    lazyPage(`${ASSETS}/:name`, async () => (await import("./asset-page.ts")).respondWithAsset),
    lazyPage("/docs/errors", async () => (await import("./error-page.ts")).errorPage(site)),
    lazyPage("/docs/deprecations", async () => (await import("./deprecation-page.ts")).deprecationPage(site)),
    lazyPage(API_CATALOG, async () => (await import("./api-catalog-page.ts")).respondWithCatalog),
    site.own === "messages"
      ? lazyPage("/", async () => (await import("./start-page.ts")).startPage(site))
      : lazyPage("/docs/client.js", async () => (await import("./client-page.ts")).respondWithClient),
  ];
}
