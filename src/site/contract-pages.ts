import { documentOf } from "../api/openapi-documents.ts";
import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import { ERROR_STATUS, type ErrorCode } from "../errors.ts";
import { type Frame, framePage, section } from "./frame.ts";
import { renderMarkdown } from "./markdown.ts";
import { GUIDES_PATH, type Site } from "./site.ts";

const ERRORS = Object.entries(ERROR_CATALOG)
  .map(([code, entry]) => ({ code, ...entry, status: ERROR_STATUS[code as ErrorCode] }))
  .sort((a, b) => a.status - b.status);

/** Creates the page that lists all error codes. The `type` of Problem Details (RFC 9457) is a link to this page. */
export function errorFrame(): Frame {
  return {
    title: "Errors",
    contents: [...Map.groupBy(ERRORS, ({ status }) => status)].map(([status, entries]) => ({
      title: String(status),
      links: entries.map(({ code }) => ({ href: `#${code}`, label: code })),
    })),
    main: ERRORS.map(({ code, status, when, example, whatToDo, operator }) =>
      section(code, `${code} (${status})`, [
        when,
        `For example: ${example}`,
        `What to do: ${whatToDo}`,
        ...(operator === undefined ? [] : [`What an operator can do: ${operator}`]),
      ]),
    ).join("\n"),
  };
}

/**
 * Creates the page that lists all deprecated operations. The `Link` header in the responses of such operations points to this
 * page.
 */
export function deprecationFrame({ own }: Site): Frame {
  const deprecated = documentOf(own).operations.filter(({ deprecation }) => deprecation !== undefined);
  const sections = deprecated.map(({ id, method, path, description }) => {
    const guide = `${GUIDES_PATH}/first-call#moving-off-${id.toLowerCase()}`;
    return `${section(id, `${id}: ${method} ${path}`, [description])}\n<p><a href="${guide}">What to call instead</a></p>`;
  });
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

export const errorPage = framePage(errorFrame);
export const deprecationPage = framePage(deprecationFrame);

export const startPage = framePage(({ own }): Frame => {
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
});
