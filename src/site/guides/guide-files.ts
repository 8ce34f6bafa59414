import { type Bundle, loadBundles } from "../../http/static/bundles.ts";
import { fileName } from "./guide-links.ts";
import { GUIDES, LINKED_FILES } from "./guides.ts";

const TEXT = "text/plain; charset=utf-8";

function served(name: string, path: string): Bundle {
  return {
    name,
    type: TEXT,
    source: () => new URL(`../../../${path}`, import.meta.url),
    isBundled: false,
  };
}

/** The guides' texts by their names; the executable has them embedded. */
export const GUIDE_BUNDLES: Readonly<Record<string, Bundle>> = Object.fromEntries(
  GUIDES.map(({ name, file }) => [name, served(`guide-${name}.md`, file)]),
);

/** What guides link to, by file name. */
export const FILE_BUNDLES: Readonly<Record<string, Bundle>> = Object.fromEntries(
  LINKED_FILES.map((path) => [fileName(path), served(`file-${fileName(path)}`, path)]),
);

export const loadGuides = loadBundles(GUIDE_BUNDLES);
export const loadFiles = loadBundles(FILE_BUNDLES);
