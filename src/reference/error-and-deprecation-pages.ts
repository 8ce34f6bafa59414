import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import type { Operation } from "../contract/operation.ts";
import { ERROR_STATUS, type ErrorCode } from "../errors.ts";
import type { StaticPage } from "../http/static/page.ts";
import { plainPage } from "../http/static/plain-page.ts";
import { renderMarkdown } from "./markdown.ts";

/** Static pages, without a script: header fields and problem types link to them. */
export function errorAndDeprecationPages(operations: readonly Operation[]): readonly StaticPage[] {
  return [
    page("/", "Petstore", contents(operations)),
    page("/docs/errors", "Errors", errorSections()),
    page("/docs/deprecations", "Deprecated operations", deprecationSections(operations)),
  ];
}

function contents(operations: readonly Operation[]): string {
  const rows = operations.map(
    ({ id, method, path, summary }) => `<li><code>${method} ${path}</code> ${summary} (${id})</li>`,
  );
  return `<p>An HTTP API for programs. Every request needs an API key.</p>
<ul>
<li><a href="/openapi.json">The OpenAPI document</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/docs/deprecations">Deprecated operations</a></li>
</ul>
<h2>Operations</h2>
<ul>
${rows.join("\n")}
</ul>`;
}

function errorSections(): string {
  return Object.entries(ERROR_CATALOG)
    .map(([code, { when, example, whatToDo }]) =>
      section(code, `${code} (${ERROR_STATUS[code as ErrorCode]})`, [
        when,
        `For example: ${example}`,
        `What to do: ${whatToDo}`,
      ]),
    )
    .join("\n");
}

function deprecationSections(operations: readonly Operation[]): string {
  const sections = operations.flatMap(({ id, method, path, description, deprecation }) =>
    deprecation === undefined ? [] : [section(id, `${id}: ${method} ${path}`, [description])],
  );
  return sections.length === 0 ? "<p>None.</p>" : sections.join("\n");
}

function section(id: string, heading: string, paragraphs: readonly string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${renderMarkdown(paragraph)}</p>`).join("\n");
  return `<section id="${id}">\n<h2>${renderMarkdown(heading)}</h2>\n${text}\n</section>`;
}

function page(path: string, title: string, main: string): StaticPage {
  const response = plainPage(title, main);
  return { path, respond: async () => response };
}
