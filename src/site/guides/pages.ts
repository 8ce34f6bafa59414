import type { StaticPage } from "../../http/static/page.ts";
import { lazyPage } from "../pages.ts";
import { FILES_PATH, GUIDES_PATH, type Site } from "../site.ts";

/** The guides of `docs/guides/`, and the files that they link to. */
export function guidePages(site: Site): readonly StaticPage[] {
  return [
    lazyPage(GUIDES_PATH, async () => (await import("./guide-page.ts")).contentsPage(site)),
    lazyPage(`${GUIDES_PATH}/:name`, async () => (await import("./guide-page.ts")).guidePage(site)),
    lazyPage(`${FILES_PATH}/:name`, async () => (await import("./file-page.ts")).respondWithFile),
  ];
}
