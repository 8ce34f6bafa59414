import type { ErrorCode } from "../../errors.ts";
import { renderMarkdown } from "../markdown.ts";
import type { DescribedDocument } from "./described-document.ts";
import { errorLink, mediaExamples } from "./operation-html.ts";
import type { Rule } from "./rules.ts";
import { bodySchemaHtml, limitsOf } from "./schema-html.ts";

/**
 * Renders the section about a rule, with the rule's headers beside its text.
 *
 * @param codes error codes that every operation can return
 */
export function ruleHtml(
  { id, title, text, fields }: Rule,
  document: DescribedDocument,
  codes: readonly ErrorCode[],
): string {
  const members = fields.map(({ name, description = "", example, schema }) => {
    const facts = limitsOf({ ...schema, ...(example === undefined ? {} : { example }) });
    return `<dt><code>${name}</code></dt><dd>${renderMarkdown(description)} ${facts}</dd>`;
  });
  return `<section class="operation rule" aria-labelledby="${id}">
<div class="text">
<h2 id="${id}">${title}</h2>
${text
  .split("\n\n")
  .map((paragraph) => `<p>${renderMarkdown(paragraph)}</p>`)
  .join("\n")}
${id === "errors" ? errorBodiesHtml(document, codes) : ""}
</div>
${members.length === 0 ? "" : `<dl class="members">\n${members.join("\n")}\n</dl>`}
</section>`;
}

/** Renders the error codes that every operation can return, and the body of an error in each media type. */
function errorBodiesHtml({ components }: DescribedDocument, codes: readonly ErrorCode[]): string {
  const { Unauthorized, OtherError } = components.responses;
  const content = { ...OtherError?.content, ...Unauthorized?.content };
  const bodies = Object.entries(content).map(([mediaType, media]) => {
    const body = `${bodySchemaHtml(media.schema, [mediaType])}\n${mediaExamples(media)}`;
    if (mediaType === "application/json") return body;
    return `<details><summary><code>${mediaType}</code></summary>${body}</details>`;
  });
  return `<p>Any operation can answer with these errors: ${codes.map(errorLink).join(", ")}.</p>\n${bodies.join("\n")}`;
}
