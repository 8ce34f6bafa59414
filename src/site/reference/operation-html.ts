import { writeJson } from "../../contract/json/json.ts";
import type { SampleOperation } from "../../contract/openapi/code-samples.ts";
import { methodChip } from "../frame.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import type { DescribedOperation, DescribedResponse, Header, Media } from "./described-document.ts";
import { bodyHtml, parametersHtml } from "./fields-html.ts";
import { exampleHtml, limitsOf, schemaHtml } from "./schema-html.ts";

/** Renders an operation: text, samples, Send and answer in one form, whose values the samples show and Send sends. */
export function operationHtml(operation: DescribedOperation, sample: SampleOperation): string {
  const { operationId: id, summary, description: text = "" } = operation;
  const isHidden = operation["x-hideTryItPanel"] === true;
  return `<article aria-labelledby="${id}">
<form class="operation" data-operation="${escapeHtml(writeJson(sample))}"${isHidden ? " data-hidden" : ""} autocomplete="off" novalidate>
<div class="text">
<h3 id="${id}"><a href="#${id}">${renderMarkdown(summary)}</a></h3>
<p class="route">${methodChip(sample.method)} <code>${breakable(sample.path)}</code>${badges(operation)}</p>
<p>${renderMarkdown(text)}</p>
${parametersHtml(operation, { heading: "<h4>Parameters</h4>", withFields: !isHidden })}
${bodyHtml(operation, !isHidden)}
${answersHtml(operation)}
</div>
<div class="panel">
${samplesHtml(operation)}
${isHidden ? '<p class="note">Requests to this operation cannot be sent from this page.</p>' : sendHtml(id)}
${successExample(operation)}
</div>
</form>
</article>`;
}

/** Renders the Send button, and the place where the script shows the answer; without a script there is no button. */
const sendHtml = (
  id: string,
) => `<p class="send try"><button aria-describedby="${id}">Send</button> <span role="status"></span></p>
<div class="answer" role="group" aria-label="Answer" hidden></div>`;

/** Allows line breaks before each slash of a long path. */
function breakable(path: string): string {
  return path.replaceAll("/", "<wbr>/");
}

const CALENDAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Renders badges: deprecated with the removal date, beta or experimental; none for a stable operation. */
function badges(operation: DescribedOperation): string {
  const { "x-deprecated-sunset": sunset, "x-stability": stability = "" } = operation;
  const end =
    sunset === undefined
      ? ""
      : `, ends <time datetime="${sunset}">${CALENDAR.format(new Date(sunset))}</time>`;
  const deprecated = `<a href="/docs/deprecations#${operation.operationId}">Deprecated</a>${end}`;
  const texts = { deprecated: operation.deprecated ? deprecated : "", [stability]: stability };
  return Object.entries(texts)
    .filter(([, text]) => text !== "")
    .map(([kind, text]) => ` <span class="badge badge-${kind}">${text}</span>`)
    .join("");
}

/** Renders an operation's code samples; the radio buttons for the language need no script. */
function samplesHtml({ operationId: id, "x-codeSamples": samples = [] }: DescribedOperation): string {
  const choices = samples.map(({ label }, index) => {
    const checked = index === 0 ? " checked" : "";
    return `<label><input type="radio" name="${id}-language" value="${label}"${checked}>${label}</label>`;
  });
  const blocks = samples.map(
    ({ label, source }) =>
      `<pre tabindex="0" role="group" aria-label="${label} sample" data-language="${label}"><code>${escapeHtml(source)}</code></pre>`,
  );
  return `<fieldset class="samples">
<legend class="visually-hidden">Sample in</legend>
<div class="languages">${choices.join("\n")}</div>
${blocks.join("\n")}
</fieldset>`;
}

/** Renders the answers of an operation: successes with header fields and schema, errors by code. */
function answersHtml({ responses }: DescribedOperation): string {
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

/** Renders an error status: codes, each linked to its remedy, and the names of the response's header fields. */
function errorHtml(status: string, { headers = {}, content = {} }: DescribedResponse): string {
  const codes = Object.keys(content["application/json"]?.examples ?? {});
  const links = codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`);
  const names = Object.keys(headers).map((name) => `<code>${name}</code>`);
  return `<li><strong class="status">${status}</strong> ${links.join(", ")}<br><small>${names.join(", ")}</small></li>`;
}

/** Renders the body shared by all errors, in each media type, from the 401 that every operation has. */
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

function successExample({ responses }: DescribedOperation): string {
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
