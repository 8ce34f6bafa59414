import type { FileResponseData } from "../response.ts";
import { htmlResponse } from "./html.ts";

/** A page without a script or a style sheet. `main` is HTML. */
function plainPage(title: string, main: string): FileResponseData {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · petstore</title>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  return htmlResponse(body, { "img-src": "'self'" });
}

/** For a browser at an address outside the API that no page has. */
export function notFoundPage(): FileResponseData {
  const page = plainPage(
    "Page not found",
    `<p>There is no page at this address. Check it for a typing mistake, or go to:</p>
<ul>
<li><a href="/">The console</a></li>
<li><a href="/docs">The API reference</a></li>
<li><a href="/docs/guides">The guides</a></li>
</ul>`,
  );
  return { ...page, status: 404, headers: { ...page.headers, "Cache-Control": "no-store", Vary: "Accept" } };
}
