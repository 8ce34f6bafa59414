import type { Call } from "../http/call.ts";
import type { FileResponseData } from "../http/response.ts";
import {
  type Asset,
  assetPage,
  createRevalidatedServer,
  type ServeRevalidated,
} from "../http/static/assets.ts";
import { bundle, loadBundles } from "../http/static/bundles.ts";
import { ASSETS } from "./site.ts";

type ReferenceAssets = Readonly<Record<keyof typeof REFERENCE_BUNDLES, Asset>>;

export const REFERENCE_BUNDLES = {
  frameStyle: bundle("frame.css", "src/site/web/frame.css"),
  frameScript: bundle("frame.js", "src/site/web/frame.ts"),
  style: bundle("reference.css", "src/site/web/reference.css"),
  icon: bundle("reference.svg", "src/site/web/paw.svg"),
  script: bundle("reference.js", "src/site/web/reference.ts"),
};

/** Loads the styles, scripts and icon of the documentation pages, once for all services in this process. */
export const loadReferenceAssets: () => Promise<ReferenceAssets> = loadBundles(REFERENCE_BUNDLES);

export const { respond: respondWithAsset } = assetPage(ASSETS, async () =>
  Object.values(await loadReferenceAssets()),
);

export const CLIENT_BUNDLES = {
  module: bundle("client.js", "client/src/client.ts"),
};

const loadClient = loadBundles(CLIENT_BUNDLES);
/** The function that serves the typed client's module. It is created at the first request. */
let serve: ServeRevalidated | undefined;

/**
 * Serves the typed client as a single module, which web pages of any origin can import: `import { createClient } from
 * "http://localhost:8080/docs/client.js"`.
 */
export async function respondWithClient(_addresses: unknown, { request }: Call): Promise<FileResponseData> {
  const { module } = await loadClient();
  serve ??= createRevalidatedServer(module);
  return serve(request);
}
