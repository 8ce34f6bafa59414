import { Marked, type Tokens } from "marked";
import { ServiceError } from "../../errors.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { type ContentsGroup, createFrameServer, type Frame, framePage } from "../frame.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import { GUIDES_PATH, type Site } from "../site.ts";
import { findTarget, loadGuides } from "./guide-files.ts";
import { AUDIENCES, GUIDES, type Guide } from "./guides.ts";

type Respond = StaticPage["respond"];

export const contentsPage = framePage((): Frame => {
  const sections = AUDIENCES.map(({ title, guides }) => {
    const items = guides.map(
      ({ name, title, summary }) =>
        `<li><a href="${GUIDES_PATH}/${name}">${renderMarkdown(title)}</a>: ${renderMarkdown(summary)}</li>`,
    );
    return `<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  return { title: "Guides", contents: otherGuides(), main: sections.join("\n") };
});

/** Serves the guide whose name is the `:name` in the path. */
export function guidePage(site: Site): Respond {
  // Each guide has its own serving function, because a serving function caches only the page that it rendered last.
  const servers = new Map(
    GUIDES.map((guide) => [`${GUIDES_PATH}/${guide.name}`, { guide, serve: createFrameServer(site) }]),
  );
  return async ({ origin }, context) => {
    const found = servers.get(context.path);
    if (found === undefined) throw new ServiceError("not_found", `There is nothing at ${context.path}.`);
    const { guide, serve } = found;
    if (!FOR_PROGRAMS.includes(guide)) return serve("", () => guideFrame(guide), context);
    return serve(origin, () => guideFrame(guide, (text) => withAddresses(text, site, origin)), context);
  };
}

/** The guides whose examples show the addresses of this store. The other guides show the default addresses. */
const FOR_PROGRAMS = AUDIENCES.find(({ title }) => title === "For programs")?.guides ?? [];

/**
 * Replaces the default addresses in a guide with this store's addresses. For the service that serves the page, this is the
 * address that the client used to reach it.
 */
function withAddresses(text: string, { own, addressOf }: Site, origin: string): string {
  const services = ["production", "staging", "messages"];
  return services.reduce((changed, service, index) => {
    const address = service === own ? origin : new URL(addressOf(service)).origin;
    return changed.replaceAll(`http://localhost:${8080 + index}`, () => address);
  }, text);
}

export async function guideFrame(guide: Guide, adapt = (text: string) => text): Promise<Frame> {
  const { [guide.name]: asset } = await loadGuides();
  const { html, headings } = renderGuide(adapt(new TextDecoder().decode(asset?.bytes)), guide.file);
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

interface Heading {
  readonly id: string;
  readonly text: string;
  /** The level of the heading: 2 for a section of the page. */
  readonly depth: number;
}

/**
 * Renders a guide as HTML. Guides are GitHub Flavored Markdown without comments, and raw HTML in them is shown as text.
 *
 * @param file path of the document from the project's root; links in the document are relative to it
 */
export function renderGuide(markdown: string, file: string) {
  const headings: Heading[] = [];
  const idOf = createHeadingIds();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, text, depth }) {
        const id = idOf(text);
        if (depth === 1) return "";
        headings.push({ id, text, depth });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return text.startsWith("<!--") ? "" : escapeHtml(text);
      },
      code({ text, lang = "" }) {
        // The code block is focusable, so that people can scroll it sideways with the keyboard.
        return `<pre tabindex="0"><code data-language="${escapeHtml(lang)}">${escapeHtml(text)}\n</code></pre>\n`;
      },
      codespan({ text }) {
        return `<code>${escapeHtml(text)}</code>`;
      },
      link({ href, tokens, raw }) {
        // An email address in a guide is part of an example: smtps://user:password@example.com.
        if (href.startsWith("mailto:")) return escapeHtml(raw);
        const label = this.parser.parseInline(tokens);
        const target = findTarget(href, file);
        if ("href" in target) return `<a href="${escapeHtml(target.href)}">${label}</a>`;
        const path = `<code>${escapeHtml(target.path)}</code>`;
        return target.path.endsWith(label) ? path : `${label} (${path})`;
      },
      image({ text }) {
        return escapeHtml(text);
      },
      table({ header, rows }) {
        // An empty cell in the table's head is rendered as an ordinary cell, because screen readers would announce an empty
        // header cell.
        const row = (cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((cell) => this.tablecell({ ...cell, header: cell.header && cell.text !== "" })).join("")}</tr>`;
        const body = rows.map(row).join("\n");
        return `<div class="table" tabindex="0"><table>\n<thead>${row(header)}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`;
      },
    },
  });
  return {
    html: marked.parse(markdown, { async: false }),
    headings,
  };
}

/** Returns the anchor of a heading in GitHub's form. For instance, `The first minute` becomes `the-first-minute`. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/**
 * Creates a function that returns an anchor for each heading of a page. If a heading occurs twice, `-1` is added to the second
 * anchor, so that all anchors are unique.
 */
function createHeadingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const id = headingId(text);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
