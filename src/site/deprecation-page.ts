import { documentOf } from "../api/openapi-documents.ts";
import type { StaticPage } from "../http/static/page.ts";
import { createFrameServer, type Frame, section } from "./frame.ts";
import type { Site } from "./site.ts";

/** Every deprecated operation; the `Link` of its answers leads here. */
export function deprecationPage(site: Site): StaticPage["respond"] {
  const serve = createFrameServer(site);
  return (_addresses, context) => serve("", () => deprecationFrame(site), context);
}

function deprecationFrame({ own }: Site): Frame {
  const deprecated = documentOf(own).operations.filter(({ deprecation }) => deprecation !== undefined);
  const sections = deprecated.map(({ id, method, path, description }) =>
    section(id, `${id}: ${method} ${path}`, [description]),
  );
  return {
    title: "Deprecated operations",
    contents: [
      {
        title: "Operations",
        links: deprecated.map(({ id, method }) => ({ href: `#${id}`, label: id, method })),
      },
    ],
    main: sections.length === 0 ? "<p>None.</p>" : sections.join("\n"),
  };
}
