import { documentAt, documentOf } from "../api/openapi-documents.ts";
import { htmlResponse } from "../http/static/html.ts";
import type { StaticPage } from "../http/static/page.ts";
import { loadReferenceAssets } from "./reference-assets.ts";
import { referenceHtml } from "./reference-html.ts";
import { ASSETS, type Site } from "./site.ts";

/** The interactive reference at `/docs`. The service that serves it is the server selected when it opens. */
export function referencePage({ own, addressOf }: Site): StaticPage["respond"] {
  return async ({ base }, { contractNow }) => {
    const document = documentAt(documentOf(own), contractNow);
    const servers = document.services.map((name) => ({
      name,
      url: name === own ? base : addressOf(name),
      isOwn: name === own,
    }));
    const assets = await loadReferenceAssets();
    return htmlResponse(referenceHtml({ document, servers, assets, assetFolder: ASSETS }), {
      "script-src": "'self'",
      // swagger-ui makes markup of strings: React writes what DOMPurify has cleaned.
      "require-trusted-types-for": undefined,
      "trusted-types": undefined,
      "style-src": "'self'",
      "img-src": "'self' data:",
      // The page may also send requests to the other environment, which is another origin.
      "connect-src": ["'self'", ...servers.map(({ url }) => new URL(url).origin)].join(" "),
    });
  };
}
