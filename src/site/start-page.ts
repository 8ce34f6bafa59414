import { documentOf } from "../api/openapi-documents.ts";
import type { StaticPage } from "../http/static/page.ts";
import { createFrameServer, type Frame } from "./frame.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Site } from "./site.ts";

/** What a service without a console shows at its address. */
export function startPage(site: Site): StaticPage["respond"] {
  const serve = createFrameServer(site);
  return (_addresses, context) => serve("", () => startFrame(site), context);
}

function startFrame({ own }: Site): Frame {
  const { title, operations } = documentOf(own);
  const rows = operations.map(
    ({ id, method, path, summary }) =>
      `<li><code>${method} ${path}</code> <a href="/docs#${id}">${renderMarkdown(summary)}</a></li>`,
  );
  return {
    title,
    contents: [],
    main: `<p>An HTTP API for programs. Every request needs an API key. <a href="/docs">The reference</a> has every operation.</p>
<ul>
${rows.join("\n")}
</ul>`,
  };
}
