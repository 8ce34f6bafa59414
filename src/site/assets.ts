import type { Asset } from "../http/static/assets.ts";
import { type Bundle, loadBundles } from "../http/static/bundles.ts";

type ReferenceAssets = Readonly<Record<keyof typeof REFERENCE_BUNDLES, Asset>>;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

export const REFERENCE_BUNDLES = {
  frameStyle: {
    name: "frame.css",
    type: STYLE,
    source: () => new URL("web/frame.css", import.meta.url),
    isBundled: true,
  },
  frameScript: {
    name: "frame.js",
    type: SCRIPT,
    source: () => new URL("web/frame.ts", import.meta.url),
    isBundled: true,
  },
  style: {
    name: "reference.css",
    type: STYLE,
    source: () => new URL("web/reference.css", import.meta.url),
    isBundled: true,
  },
  icon: {
    name: "reference.svg",
    type: "image/svg+xml",
    source: () => new URL("web/paw.svg", import.meta.url),
    isBundled: false,
  },
  script: {
    name: "reference.js",
    type: SCRIPT,
    source: () => new URL("web/reference.ts", import.meta.url),
    isBundled: true,
  },
} satisfies Record<string, Bundle>;

/** Loaded once for all services of the process. */
export const loadReferenceAssets: () => Promise<ReferenceAssets> = loadBundles(REFERENCE_BUNDLES);
