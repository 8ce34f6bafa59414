import type { Call } from "../http/call.ts";
import type { FileResponseData } from "../http/response.ts";
import { type Asset, createTextServer } from "../http/static/assets.ts";
import { htmlResponse, type Sources } from "../http/static/html.ts";
import type { StaticPage } from "../http/static/page.ts";
import { loadReferenceAssets } from "./assets.ts";
import { escapeHtml, renderMarkdown } from "./markdown.ts";
import { ASSETS, GUIDES_PATH, type Site } from "./site.ts";

/** A link in a page's table of contents. `href` is the `#id` of a heading, or the address of another page. */
interface ContentsLink {
  readonly href: string;
  readonly label: string;
  readonly method?: string;
  readonly isCurrent?: boolean;
}

export interface ContentsGroup {
  readonly title: string;
  readonly links: readonly ContentsLink[];
}

export interface Frame {
  /** The text of the page's heading, which is also the title of the window. */
  readonly title: string;
  readonly contents: readonly ContentsGroup[];
  readonly main: string;
  /** The page's own style sheets and scripts, in addition to those that every page has. */
  readonly assets?: readonly Asset[];
}

const PAGES = [
  ["/docs", "Reference"],
  ["/docs/errors", "Errors"],
  ["/docs/deprecations", "Deprecations"],
  [GUIDES_PATH, "Guides"],
  ["/openapi.json", "OpenAPI"],
] as const;

/**
 * Renders a page with a top bar, a search, and a table of contents that marks the current section. Everything except the search
 * and the mark works without JavaScript.
 */
async function frameHtml(frame: Frame, service: string): Promise<string> {
  const { title, contents, main, assets = [] } = frame;
  const own = await loadReferenceAssets();
  const address = ({ name }: Asset) => `${ASSETS}/${name}`;
  const isStaging = service === "staging";
  return `<!doctype html>
<html lang="en" data-environment="${service}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}${isStaging ? " (staging)" : ""}</title>
<link rel="icon" href="${address(own.icon)}">
${[own.frameStyle, own.frameScript, ...assets].map((asset) => loading(asset, address(asset))).join("\n")}
</head>
<body>
<a class="skip-link" href="#main">Skip to the text</a>
<p class="staging-banner" id="staging" role="status"${isStaging ? "" : " hidden"}><strong>Staging.</strong> Requests go to test data; nothing here reaches production.</p>
<header class="bar">
<a class="brand" href="/docs" aria-label="petstore reference"><img src="${address(own.icon)}" alt="" width="28" height="28"><span>petstore</span></a>
<nav class="links" aria-label="petstore">${pageLinks(service)}</nav>
<button type="button" id="open-search" aria-keyshortcuts="/">Search <kbd>/</kbd></button>
<button type="button" class="open-contents" popovertarget="contents">Contents</button>
</header>
<div class="page">
<nav class="contents" id="contents" aria-label="Contents" popover>
<p class="links">${pageLinks(service)}</p>
${contents.map(contentsGroup).join("\n")}
</nav>
<main id="main" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</div>
${SEARCH}
</body>
</html>
`;
}

function loading({ type }: Asset, address: string): string {
  return type.startsWith("text/css")
    ? `<link rel="stylesheet" href="${address}">`
    : `<script src="${address}" type="module"></script>`;
}

function pageLinks(service: string): string {
  const pages = service === "messages" ? PAGES : [...PAGES, ["/", "Console"] as const];
  return pages.map(([href, label]) => `<a href="${href}">${label}</a>`).join("\n");
}

function contentsGroup({ title, links }: ContentsGroup): string {
  const items = links.map(({ href, label, method, isCurrent }) => {
    const chip = method === undefined ? "" : `${methodChip(method)} `;
    const current = isCurrent ? ' aria-current="page"' : "";
    return `<li><a href="${escapeHtml(href)}"${current}>${chip}<span>${renderMarkdown(label)}</span></a></li>`;
  });
  return `<p>${escapeHtml(title)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}

export function methodChip(method: string): string {
  return `<span class="method method-${method.toLowerCase()}">${method}</span>`;
}

const SEARCH = `<dialog id="search" aria-label="Search">
<label for="search-text">Search operations, rules, errors and guides</label>
<input id="search-text" type="search" autocomplete="off" spellcheck="false">
<p id="search-count" role="status"></p>
<ul id="search-results"></ul>
</dialog>`;

const SOURCES: Sources = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
};

/**
 * Renders a section of a page, with an id that links can point to. The heading and the paragraphs are Markdown from our own texts,
 * not from clients.
 */
export function section(id: string, heading: string, paragraphs: readonly string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${renderMarkdown(paragraph)}</p>`).join("\n");
  return `<section>\n<h2 id="${id}">${renderMarkdown(heading)}</h2>\n${text}\n</section>`;
}

/** Creates a function that serves a page and caches its HTML. The HTML is rendered again only for a different key. */
export function createFrameServer(site: Site) {
  const serve = createTextServer("page.html", "text/html; charset=utf-8");
  return async (
    key: string,
    frame: () => Frame | Promise<Frame>,
    { request }: Call,
    sources: Sources = {},
  ): Promise<FileResponseData> => {
    const response = await serve(key, async () => frameHtml(await frame(), site.own), request);
    const { headers } = htmlResponse("", { ...SOURCES, ...sources });
    return { ...response, headers: { ...headers, ...response.headers } };
  };
}

/** Creates a page whose content is the same for every request. */
export function framePage(frame: (site: Site) => Frame): (site: Site) => StaticPage["respond"] {
  return (site) => {
    const serve = createFrameServer(site);
    return (_addresses, context) => serve("", () => frame(site), context);
  };
}
