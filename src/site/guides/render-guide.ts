import { Marked, type Tokens } from "marked";
import { escapeHtml } from "../markdown.ts";
import { findTarget } from "./guide-links.ts";

interface Heading {
  readonly id: string;
  /** Our own Markdown. */
  readonly text: string;
  /** 2 for a section of the page. */
  readonly depth: number;
}

interface RenderedGuide {
  /** Everything below the heading of the page. */
  readonly html: string;
  readonly headings: readonly Heading[];
}

/**
 * The HTML of a guide: GitHub Flavored Markdown without raw HTML, which is shown as text; comments are left out.
 *
 * @param file the path of the document, from the project's root: its links start there
 */
export function renderGuide(markdown: string, file: string): RenderedGuide {
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
        // In the order of the keyboard: it scrolls sideways.
        return `<pre tabindex="0"><code data-language="${escapeHtml(lang)}">${escapeHtml(text)}\n</code></pre>\n`;
      },
      codespan({ text }) {
        return `<code>${escapeHtml(text)}</code>`;
      },
      link({ href, tokens }) {
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
        // A cell that heads nothing is no header.
        const row = (cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((cell) => this.tablecell({ ...cell, header: cell.header && cell.text !== "" })).join("")}</tr>`;
        const body = rows.map(row).join("\n");
        return `<div class="table" tabindex="0"><table>\n<thead>${row(header)}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

/** The anchor of a heading, as GitHub makes it: `The first minute` is `the-first-minute`. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Anchors of one page: of two equal headings the second has `-1`. */
function createHeadingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const id = headingId(text);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
