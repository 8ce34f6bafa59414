import type { Document } from "../contract/openapi/openapi.ts";
import { operationIdOf } from "../contract/openapi/webhooks.ts";
import type { Operation } from "../contract/operation.ts";
import { renderMarkdown } from "./markdown.ts";
import type { ReferenceAssets } from "./reference-assets.ts";

interface Server {
  readonly name: string;
  readonly url: string;
  readonly isOwn: boolean;
}

interface ReferencePage {
  readonly document: Document;
  readonly servers: readonly Server[];
  readonly assets: ReferenceAssets;
  readonly assetFolder: string;
}

/** The page around the operations, which the script fills in. */
export function referenceHtml(page: ReferencePage): string {
  const { document, servers, assets, assetFolder } = page;
  const own = servers.find(({ isOwn }) => isOwn)?.name ?? "";
  const asset = ({ name }: { readonly name: string }) => `${assetFolder}/${name}`;
  return `<!doctype html>
<html lang="en" data-environment="${own}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${document.title} API reference${own === "staging" ? " (staging)" : ""}</title>
<link rel="icon" href="${asset(assets.icon)}">
<link rel="stylesheet" href="${asset(assets.style)}">
<script src="${asset(assets.library)}" defer></script>
<script src="${asset(assets.script)}" type="module"></script>
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header class="bar">
<p class="brand"><img src="${asset(assets.icon)}" alt="" width="28" height="28"> ${document.title}
<span class="environment" id="environment">${own}</span></p>
<nav class="links" aria-label="Petstore">
${links(own)}
</nav>
</header>
<p class="staging" id="staging" role="status"${own === "staging" ? "" : " hidden"}><strong>Staging.</strong> Requests go to test data; nothing here reaches production.</p>
<div class="page">
<nav class="contents" aria-label="Operations">
${document.tags.map(({ name }) => contents(name, document.operations)).join("\n")}
${deliveries(document)}
</nav>
<main>
<h1>${document.title} API reference</h1>
${introduction(document)}
${connection(servers)}
<div id="operations" tabindex="-1"></div>
<noscript><p>This page needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the whole description.</p></noscript>
</main>
</div>
</body>
</html>
`;
}

function links(own: string): string {
  return [
    ...(own === "messages" ? [] : ['<a href="/">Console</a>']),
    '<a href="/openapi.json">OpenAPI</a>',
    '<a href="/docs/errors">Errors</a>',
  ].join("\n");
}

function contents(tag: string, operations: readonly Operation[]): string {
  const items = operations
    .filter((operation) => operation.tag === tag)
    .map(({ id, method, summary }) => {
      const chip = `<span class="method method-${method.toLowerCase()}">${method}</span>`;
      return `<li><a href="#/${tag}/${id}">${chip} ${renderMarkdown(summary)}</a></li>`;
    });
  return `<p>${tag}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}

/** What the service sends, under the addresses that swagger-ui gives it. */
function deliveries({ webhooks: { requests } }: Document): string {
  const items = requests.map(
    ({ type }) => `<li><a href="#/webhooks/${operationIdOf(type)}">${type}</a></li>`,
  );
  return `<p>Webhooks</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}

/** The document's description without the table of errors, which is at `/docs/errors`. */
function introduction({ description }: Document): string {
  const paragraphs = description.split("\n\n").filter((paragraph) => !paragraph.startsWith("|"));
  return paragraphs.map((paragraph) => `<p>${renderMarkdown(paragraph)}</p>`).join("\n");
}

function connection(servers: readonly Server[]): string {
  return `<section class="connection" aria-labelledby="connection">
<h2 id="connection">Try it</h2>
<fieldset class="servers">
<legend>Requests go to</legend>
${servers.map(choice).join("\n")}
</fieldset>
<div class="key">
<label for="key">API key</label>
<div><input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-note">
<button type="button" id="reveal" aria-pressed="false" aria-controls="key">Show</button></div>
<p id="key-note">Kept in this page only${servers.length > 1 ? ", one key for each environment" : ""}. Leaving the page deletes it.</p>
</div>
</section>`;
}

function choice({ name, url, isOwn }: Server): string {
  const escaped = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<label><input type="radio" name="server" value="${escaped}" data-environment="${name}"${isOwn ? " checked" : ""}>
<span><strong>${name}</strong> <code>${escaped.replaceAll("<", "&lt;")}</code></span></label>`;
}
