import { dirname, join } from "node:path/posix";
import { ServiceError } from "../../errors.ts";
import { createRevalidatedServer, type ServeRevalidated } from "../../http/static/assets.ts";
import { type Bundle, bundle, loadBundles } from "../../http/static/bundles.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { FILES_PATH, GUIDES_PATH } from "../site.ts";
import { GUIDES, LINKED_FILES } from "./guides.ts";

/** The address that the guides contain for the service that serves them. It is replaced by the service's real address. */
const OWN = "http://localhost:8080/";

/** The texts of the guides, keyed by name and embedded in the executable. */
export const GUIDE_BUNDLES: Readonly<Record<string, Bundle>> = Object.fromEntries(
  GUIDES.map(({ name, file }) => [name, bundle(`guide-${name}.md`, file)]),
);

export const FILE_BUNDLES: Readonly<Record<string, Bundle>> = Object.fromEntries(
  LINKED_FILES.map((path) => [fileName(path), bundle(`file-${fileName(path)}`, path)]),
);

export const loadGuides = loadBundles(GUIDE_BUNDLES);
const loadFiles = loadBundles(FILE_BUNDLES);

/** The target of a link in a guide: an address, or the path of a file in the repository. */
type Target = { readonly href: string } | { readonly path: string };

/** Finds where a link in a document leads. @param file path of the document from the project's root */
export function findTarget(href: string, file: string): Target {
  if (href.startsWith(OWN)) return { href: href.slice(OWN.length - 1) };
  if (/^(https?:\/\/|#)/.test(href)) return { href };
  const [to = "", ...fragment] = href.split(/(?=#)/);
  const path = join(dirname(file), to);
  const guide = GUIDES.find((one) => one.file === path);
  if (guide !== undefined) return { href: [GUIDES_PATH, "/", guide.name, ...fragment].join("") };
  return LINKED_FILES.includes(path) ? { href: `${FILES_PATH}/${fileName(path)}` } : { path };
}

/** Returns the last segment of a path. No two of the linked files have the same last segment. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The files that the guides link to, keyed by name. They are loaded at the first request, and never change. */
let servers: Promise<ReadonlyMap<string, ServeRevalidated>> | undefined;

export const respondWithFile: StaticPage["respond"] = async (_addresses, { path, request }) => {
  servers ??= createServers();
  const serve = (await servers).get(path);
  if (serve === undefined) throw new ServiceError("not_found", `There is nothing at ${path}.`);
  return serve(request);
};

async function createServers(): Promise<ReadonlyMap<string, ServeRevalidated>> {
  const files = Object.entries(await loadFiles());
  return new Map(files.map(([name, asset]) => [`${FILES_PATH}/${name}`, createRevalidatedServer(asset)]));
}
