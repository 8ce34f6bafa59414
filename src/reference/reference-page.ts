import { documentAt } from "../api/openapi-documents.ts";
import type { Document } from "../contract/openapi/openapi.ts";
import { assetPage } from "../http/static/assets.ts";
import { htmlResponse } from "../http/static/html.ts";
import type { StaticPage } from "../http/static/page.ts";
import { loadReferenceAssets } from "./reference-assets.ts";
import { referenceHtml } from "./reference-html.ts";

const ASSETS = "/docs/assets";

/**
 * The interactive reference at `/docs`, with its assets.
 *
 * @param own the service that serves the page: the server selected when it opens
 */
export function referencePages(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): readonly StaticPage[] {
  return [
    {
      path: "/docs",
      async respond({ base }, { now }) {
        const servers = document.services.map((name) => ({
          name,
          url: name === own ? base : addressOf(name),
          isOwn: name === own,
        }));
        const assets = await loadReferenceAssets();
        return htmlResponse(
          referenceHtml({ document: documentAt(document, now), servers, assets, assetFolder: ASSETS }),
          {
            "script-src": "'self'",
            // swagger-ui makes markup of strings: React writes what DOMPurify has cleaned.
            "require-trusted-types-for": undefined,
            "trusted-types": undefined,
            "style-src": "'self'",
            "img-src": "'self' data:",
            // The page may also send requests to the other environment, which is another origin.
            "connect-src": ["'self'", ...servers.map(({ url }) => new URL(url).origin)].join(" "),
          },
        );
      },
    },
    assetPage(ASSETS, async () => Object.values(await loadReferenceAssets())),
  ];
}
