import type { StaticPage } from "../http/static/page.ts";
import { lazyPage } from "../reference/pages.ts";
import type { Site } from "../reference/site.ts";

const PATH = "/docs/guides";

/** The guides of `docs/guides/`, and the files that they link to. */
export function guidePages(site: Site): readonly StaticPage[] {
  return [
    lazyPage(PATH, async () => (await import("./guide-page.ts")).contentsPage(site)),
    lazyPage(`${PATH}/:name`, async () => (await import("./guide-page.ts")).guidePage(site)),
    lazyPage("/docs/files/:name", async () => (await import("./file-page.ts")).respondWithFile),
  ];
}
