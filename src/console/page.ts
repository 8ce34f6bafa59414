import type { Environment } from "../context.ts";
import type { RequestAddresses } from "../http/call.ts";
import { type Asset, assetPage, hashedAsset } from "../http/static/assets.ts";
import { bundle, loadBundles } from "../http/static/bundles.ts";
import { htmlResponse, type Sources } from "../http/static/html.ts";
import type { StaticPage } from "../http/static/page.ts";
import { siblingOrigin } from "./page-origins.ts";

const ASSETS = "/console/assets";

/**
 * The paths of the console's screens, which people can bookmark. The script of the page renders the screen for the current path.
 */
export const ADDRESSES = [
  "/",
  "/activity",
  "/animals",
  "/animals/import",
  "/animals/:id",
  "/categories",
  "/orders",
  "/messages",
  "/keys",
  "/developers",
  "/deprecated-calls",
  "/account",
  "/sign-in",
  "/sign-in/return",
  "/sign-up",
  "/webhooks",
  "/webhooks/:id",
  "/people",
  "/audit",
  "/invitation",
  "/reset-password",
] as const;

/**
 * Returns the Content Security Policy directives for the pages.
 *
 * @param staging origin of staging's console; undefined if these pages must not sign anybody in to staging
 */
const sourcesFor = (staging: string | undefined): Sources => ({
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  // The page's script checks that staging responds (`connect-src`), and then the browser submits the form that opens staging
  // (`form-action`). Scripts send all other forms.
  "connect-src": staging === undefined ? "'self'" : `'self' ${staging}`,
  "form-action": staging ?? "'none'",
  "manifest-src": "'self'",
});

/** Creates the console's pages and assets. @param addressOf returns the base address of a service */
export function consolePages(
  environment: Environment,
  addressOf: (service: string) => string,
): readonly StaticPage[] {
  async function load() {
    const assets = await consoleAssets();
    return { ...assets, manifest: manifestOf(assets, environment) };
  }
  const addresses = environment === "staging" ? [...ADDRESSES, "/rehearsal"] : ADDRESSES;
  async function respond({ origin }: RequestAddresses) {
    const staging = environment === "production" ? siblingOrigin(origin, addressOf("staging")) : undefined;
    const page = htmlResponse(consoleDocument(await load(), environment), sourcesFor(staging));
    if (staging === undefined) return page;
    // With `no-referrer`, the browser would submit a form without its origin, and staging could not tell which page it comes from
    // (Fetch §3.2.5).
    return { ...page, headers: { ...page.headers, "Referrer-Policy": "strict-origin" } };
  }
  const documents = addresses.map((path): StaticPage => ({ path, respond }));
  return [...documents, assetPage(ASSETS, async () => Object.values(await load()))];
}

const TITLES: Readonly<Record<Environment, string>> = {
  production: "petstore",
  staging: "Staging · petstore",
};

function manifestOf({ icon, touchIcon }: ConsoleAssets, environment: Environment): Asset {
  const manifest = {
    id: "/",
    start_url: "/",
    name: TITLES[environment],
    description: "The console for the staff of a pet store.",
    display: "standalone",
    theme_color: THEME_COLORS.light,
    background_color: THEME_COLORS.light,
    icons: [
      { src: icon.name, type: icon.type, sizes: "any" },
      { src: touchIcon.name, type: touchIcon.type, sizes: "192x192", purpose: "maskable" },
    ],
  };
  const type = "application/manifest+json";
  return hashedAsset("console.webmanifest", type, new TextEncoder().encode(JSON.stringify(manifest)));
}

/** The theme colors that the browser uses in the light and the dark theme. They equal `--ground` in the style sheet. */
const THEME_COLORS = { light: "#f5f8f7", dark: "#0e1514" } as const;

function consoleDocument(
  { script, style, icon, touchIcon, manifest }: ConsoleAssets & { readonly manifest: Asset },
  environment: Environment,
): string {
  return `<!doctype html>
<html lang="en" data-environment="${environment}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TITLES[environment]}</title>
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${THEME_COLORS.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${THEME_COLORS.dark}">
<link rel="icon" type="image/svg+xml" href="${ASSETS}/${icon.name}">
<link rel="apple-touch-icon" href="${ASSETS}/${touchIcon.name}">
<link rel="manifest" href="${ASSETS}/${manifest.name}">
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

/** Preloads a script's chunks, which the browser would otherwise discover only after reading the script. */
function preloads({ chunks = [] }: Asset): string {
  return chunks
    .filter(({ isAtStart }) => isAtStart)
    .map(({ name }) => `<link rel="modulepreload" href="${ASSETS}/${name}">\n`)
    .join("");
}

type ConsoleAssets = Readonly<Record<keyof typeof CONSOLE_BUNDLES, Asset>>;

export const CONSOLE_BUNDLES = {
  script: bundle("console.js", "src/console/web/main.tsx"),
  style: bundle("console.css", "src/console/web/console.css"),
  icon: bundle("console.svg", "src/site/web/paw.svg"),
  // The console's icon has square corners, because the operating system crops it (Web App Manifest, `maskable`).
  touchIcon: bundle("console.png", "src/console/web/paw.png"),
};

const consoleAssets: () => Promise<ConsoleAssets> = loadBundles(CONSOLE_BUNDLES);
