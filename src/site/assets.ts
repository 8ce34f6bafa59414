import type { RequestContext } from "../http/request-context.ts";
import type { FileResponseData } from "../http/response.ts";
import {
  type Asset,
  assetPage,
  createRevalidatedServer,
  type ServeRevalidated,
} from "../http/static/assets.ts";
import { type Bundle, loadBundles } from "../http/static/bundles.ts";
import { ASSETS } from "./site.ts";

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

/** The style sheets, scripts and the icon of the pages. */
export const { respond: respondWithAsset } = assetPage(ASSETS, async () =>
  Object.values(await loadReferenceAssets()),
);

export const CLIENT_BUNDLES = {
  module: {
    name: "client.js",
    type: "text/javascript; charset=utf-8",
    source: () => new URL("../../client/src/client.ts", import.meta.url),
    isBundled: true,
  },
} satisfies Record<string, Bundle>;

const loadClient = loadBundles(CLIENT_BUNDLES);
let serve: ServeRevalidated | undefined;

/**
 * The typed client as one module, for pages of any origin:
 * `import { createClient } from "http://localhost:8080/docs/client.js"`.
 */
export async function respondWithClient(
  _addresses: unknown,
  { request }: RequestContext,
): Promise<FileResponseData> {
  const { module } = await loadClient();
  serve ??= createRevalidatedServer(module);
  return serve(request);
}
