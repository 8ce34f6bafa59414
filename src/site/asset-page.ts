import { assetPage } from "../http/static/assets.ts";
import { loadReferenceAssets } from "./assets.ts";
import { ASSETS } from "./site.ts";

/** The style sheets, scripts and the icon of the pages. */
export const { respond: respondWithAsset } = assetPage(ASSETS, async () =>
  Object.values(await loadReferenceAssets()),
);
