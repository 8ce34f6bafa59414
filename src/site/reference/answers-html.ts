import { renderMarkdown } from "../markdown.ts";
import type { DescribedOperation, DescribedResponse, Header, Media } from "./described-document.ts";
import { exampleHtml, limitsOf, schemaHtml } from "./schema-html.ts";

/** The answers of an operation: successes with header fields and schema, errors by code. */
export function answersHtml({ responses }: DescribedOperation): string {
  const { successes = [], errors = [] } = Object.groupBy(Object.entries(responses), ([status]) =>
    /^[45]/.test(status) ? "errors" : "successes",
  );
  return `<h4>Answers</h4>
${successes.map(([status, response]) => successHtml(status, response)).join("\n")}
<h4>Errors</h4>
<ul class="errors">
${errors.map(([status, response]) => errorHtml(status, response)).join("\n")}
</ul>`;
}

function successHtml(
  status: string,
  { description: text, headers, content = {} }: DescribedResponse,
): string {
  const media = Object.entries(content).map(([mediaType, { schema }]) => schemaHtml(schema, [mediaType]));
  return `<p><strong class="status status-2xx">${status}</strong> ${renderMarkdown(text)}</p>
${media.join("\n")}
${headersHtml(headers)}`;
}

function headersHtml(headers: Readonly<Record<string, Header>> = {}): string {
  const items = Object.entries(headers).map(
    ([name, { description: text = "", required, example, schema }]) => {
      const facts = limitsOf({ ...schema, ...(example === undefined ? {} : { example }) });
      const optional = required ? "" : ' <span class="optional">sometimes</span>';
      return `<dt><code>${name}</code>${optional}</dt><dd>${renderMarkdown(text)} ${facts}</dd>`;
    },
  );
  if (items.length === 0) return "";
  return `<details><summary>Header fields</summary><dl class="members">${items.join("\n")}</dl></details>`;
}

/** Its codes, each with a link to what to do; the header fields of errors are those that tell when to try again, or with what. */
function errorHtml(status: string, { headers = {}, content = {} }: DescribedResponse): string {
  const codes = Object.keys(content["application/json"]?.examples ?? {});
  const links = codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`);
  const names = Object.keys(headers).map((name) => `<code>${name}</code>`);
  return `<li><strong class="status">${status}</strong> ${links.join(", ")}<br><small>${names.join(", ")}</small></li>`;
}

/** The body that all errors share, in each media type, from an answer that every operation has. */
export function errorBodyHtml({ responses }: DescribedOperation): string {
  const { content = {} } = responses["401"] ?? { description: "" };
  const media = Object.entries(content);
  return `<section class="operation" aria-labelledby="error-bodies">
<div class="text">
<h2 id="error-bodies">Errors</h2>
<p><a href="/docs/errors">Each error code</a> says what to do.</p>
${media.map(([mediaType, { schema }]) => schemaHtml(schema, [mediaType])).join("\n")}
</div>
<div class="panel">
${media.map(([, each]) => mediaExamples(each)).join("\n")}
</div>
</section>`;
}

/** The examples of the successful answer. */
export function successExample({ responses }: DescribedOperation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  if (success === undefined) return "";
  const [status, { content = {} }] = success;
  const blocks = Object.entries(content).map(
    ([mediaType, media]) =>
      `<p class="caption">${status}, <code>${mediaType}</code></p>${mediaExamples(media)}`,
  );
  return `<div class="example">${blocks.join("\n")}</div>`;
}

export function mediaExamples({ example, examples = { Example: { value: example } } }: Media): string {
  return Object.entries(examples)
    .map(([name, { value }]) => exampleHtml(name, value))
    .join("\n");
}
