import { dirname, join } from "node:path/posix";
import { FILES_PATH, GUIDES_PATH } from "../site.ts";
import { GUIDES, LINKED_FILES } from "./guides.ts";

/** The documented address of the service that serves the guides. */
const OWN = "http://localhost:8080/";

/** Where a link of a guide leads: an address; or, for a file that is in the repository alone, its path. */
export type Target = { readonly href: string } | { readonly path: string };

/**
 * Finds the page or file of the service that a link of a document means.
 *
 * @param file the document's own path, from the project's root
 */
export function findTarget(href: string, file: string): Target {
  if (href.startsWith(OWN)) return { href: href.slice(OWN.length - 1) };
  if (/^(https?:\/\/|#)/.test(href)) return { href };
  const [to = "", ...fragment] = href.split(/(?=#)/);
  const path = join(dirname(file), to);
  const guide = GUIDES.find((one) => one.file === path);
  if (guide !== undefined) return { href: [GUIDES_PATH, "/", guide.name, ...fragment].join("") };
  return LINKED_FILES.includes(path) ? { href: `${FILES_PATH}/${fileName(path)}` } : { path };
}

/** Unique among the linked files. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
