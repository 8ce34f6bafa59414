import type { Environment } from "../context.ts";
import { type Asset, assetPage } from "../http/static/assets.ts";
import { htmlResponse, type Sources } from "../http/static/html.ts";
import type { StaticPage } from "../http/static/page.ts";
import { type ConsoleAssets, consoleAssets } from "./assets.ts";

const ASSETS = "/console/assets";

/** Paths that the page's script renders as screens; each can be bookmarked. */
export const ADDRESSES = [
  "/",
  "/animals",
  "/animals/:id",
  "/categories",
  "/orders",
  "/messages",
  "/keys",
  "/developers",
  "/deprecated-calls",
  "/account",
  "/sign-in",
  "/sign-up",
  "/webhooks",
  "/webhooks/:id",
  "/people",
  "/audit",
  "/invitation",
  "/reset-password",
] as const;

const SOURCES: Sources = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
};

/** The staff's console: the same document at each path, and its assets. */
export function consolePages(environment: Environment): readonly StaticPage[] {
  const documents = ADDRESSES.map(
    (path): StaticPage => ({
      path,
      respond: async () => htmlResponse(consoleDocument(await consoleAssets(), environment), SOURCES),
    }),
  );
  return [...documents, assetPage(ASSETS, async () => Object.values(await consoleAssets()))];
}

function consoleDocument({ script, style, icon }: ConsoleAssets, environment: Environment): string {
  const title = environment === "staging" ? "Staging · petstore" : "petstore";
  return `<!doctype html>
<html lang="en" data-environment="${environment}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${ASSETS}/${icon.name}">
<link rel="stylesheet" href="${ASSETS}/${style.name}">
${preloads(script)}<script type="module" src="${ASSETS}/${script.name}"></script>
</head>
<body>
<div id="console"></div>
<noscript><p>The console needs JavaScript. The API and its reference at <a href="/docs">/docs</a> do not.</p></noscript>
</body>
</html>
`;
}

/** Without these, the browser learns of a chunk when it has read the script. */
function preloads({ chunks = [] }: Asset): string {
  return chunks
    .filter(({ isAtStart }) => isAtStart)
    .map(({ name }) => `<link rel="modulepreload" href="${ASSETS}/${name}">\n`)
    .join("");
}
