import { createHash } from "node:crypto";
import { isPreflight, PREFLIGHT_HEADERS } from "../browser-headers.ts";
import type { Call, RequestAddresses } from "../call.ts";
import { allowLine, methodNotAllowed } from "../endpoint.ts";
import type { FileResponseData } from "../response.ts";
import { htmlResponse } from "./html.ts";

/** A page that needs no authentication. `:name` in its path matches one segment. */
export interface StaticPage {
  readonly path: string;
  respond(addresses: RequestAddresses, call: Call): Promise<FileResponseData>;
}

const PAGE_ALLOW = allowLine(["GET"]);

export async function servePage(page: StaticPage, call: Call): Promise<FileResponseData> {
  const { method, request, addresses } = call;
  if (isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method === "GET") return page.respond(addresses, call);
  if (method === "OPTIONS") return { status: 204, headers: { Allow: PAGE_ALLOW }, body: null };
  throw methodNotAllowed(call, PAGE_ALLOW);
}

/** Creates a page that redirects an address with a trailing slash to the actual page: `/docs/` to `/docs`. */
export function trailingSlashPage({ path }: StaticPage): StaticPage {
  return {
    path: `${path}/`,
    async respond(_addresses, { request }) {
      // The address of the redirect has no host, so that the browser stays on the host that it has requested. The path stays
      // encoded as the client sent it.
      const { pathname, search } = new URL(request.url);
      const headers = { Location: (pathname.slice(0, -1) || "/") + search, "Cache-Control": "no-cache" };
      return { status: 308, headers, body: null };
    },
  };
}

/**
 * The style sheet of the 404 page. The page contains its own styles, because it belongs neither to the console nor to the
 * documentation.
 */
const STYLE = `
body {
  max-width: 36rem;
  margin: 12vh auto;
  padding: 0 1rem;
  font: 1rem / 1.6 system-ui, sans-serif;
}
`;

const NOT_FOUND = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Page not found · petstore</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>There is no page at this address. Check it for a typing mistake, or go to:</p>
<ul>
<li><a href="/">The console</a></li>
<li><a href="/docs">The API reference</a></li>
<li><a href="/docs/guides">The guides</a></li>
</ul>
</main>
</body>
</html>
`;

/** Hash in the Content-Security-Policy that allows no style sheet except the one of the 404 page (CSP Level 3 §2.3.1). */
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Creates the 404 page that a browser gets at an unknown address outside the API. */
export function notFoundPage(): FileResponseData {
  const page = htmlResponse(NOT_FOUND, { "img-src": "'self'", "style-src": `'sha256-${STYLE_HASH}'` });
  return { ...page, status: 404, headers: { ...page.headers, "Cache-Control": "no-store", Vary: "Accept" } };
}
