import { ServiceError } from "../../errors.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { type ContentsGroup, createFrameServer, type Frame } from "../frame.ts";
import { renderMarkdown } from "../markdown.ts";
import { GUIDES_PATH, type Site } from "../site.ts";
import { loadGuides } from "./guide-files.ts";
import { AUDIENCES, GUIDES, type Guide } from "./guides.ts";
import { renderGuide } from "./render-guide.ts";

type Respond = StaticPage["respond"];

/** The page of contents. */
export function contentsPage(site: Site): Respond {
  const serve = createFrameServer(site);
  return (_addresses, context) => serve("", contentsFrame, context);
}

function contentsFrame(): Frame {
  const sections = AUDIENCES.map(({ title, guides }) => {
    const items = guides.map(
      ({ name, title, summary }) =>
        `<li><a href="${GUIDES_PATH}/${name}">${renderMarkdown(title)}</a>: ${renderMarkdown(summary)}</li>`,
    );
    return `<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  return { title: "Guides", contents: otherGuides(), main: sections.join("\n") };
}

/** One guide; `:name` in its path. */
export function guidePage(site: Site): Respond {
  // One for each guide: a server keeps the last page that it has made.
  const servers = new Map(
    GUIDES.map((guide) => [`${GUIDES_PATH}/${guide.name}`, { guide, serve: createFrameServer(site) }]),
  );
  return async (_addresses, context) => {
    const found = servers.get(context.path);
    if (found === undefined) throw new ServiceError("not_found", `There is nothing at ${context.path}.`);
    return found.serve("", () => guideFrame(found.guide), context);
  };
}

async function guideFrame(guide: Guide): Promise<Frame> {
  const { [guide.name]: asset } = await loadGuides();
  const { html, headings } = renderGuide(new TextDecoder().decode(asset?.bytes), guide.file);
  const sections = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => ({ href: `#${id}`, label: text }));
  return {
    title: guide.title.replaceAll("`", ""),
    contents: [
      ...(sections.length === 0 ? [] : [{ title: "On this page", links: sections }]),
      ...otherGuides(guide),
    ],
    main: html,
  };
}

function otherGuides(current?: Guide): readonly ContentsGroup[] {
  return AUDIENCES.map(({ title, guides }) => ({
    title,
    links: guides.map((guide) => ({
      href: `${GUIDES_PATH}/${guide.name}`,
      label: guide.title,
      isCurrent: guide === current,
    })),
  }));
}
