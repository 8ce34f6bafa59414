import { writeJson } from "../../contract/json/json.ts";
import { type DocumentedOperation, mediaTypesOf, type Parameters } from "../../contract/operation.ts";
import { errorsOf } from "../../contract/operation-errors.ts";
import { pagingParameters } from "../../contract/parameter.ts";
import { ERROR_STATUS, type ErrorCode } from "../../errors.ts";
import { methodChip } from "../frame.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import { codeSamples, type SampleRequest } from "./code-samples.ts";
import type { DescribedOperation, DescribedResponse, Header, Media } from "./described-document.ts";
import { bodyHtml, parametersHtml } from "./fields-html.ts";
import type { RulesByField } from "./rules.ts";
import { answerSchemaHtml, exampleHtml } from "./schema-html.ts";

/** The addresses that a service's samples use: its base address, and the `@petstore/client` option that sets it. */
export interface SampleAddress {
  readonly base: string;
  readonly addressOption: SampleRequest["operation"]["addressOption"];
}

/**
 * Renders an operation as one form with its description, samples, Send button and response. The samples show the values in the
 * form, and the Send button sends these values.
 */
export function operationHtml(
  operation: DescribedOperation,
  contract: DocumentedOperation,
  address: SampleAddress,
  rules: RulesByField,
  everywhere: readonly ErrorCode[],
): string {
  const request = exampleRequest(contract, address);
  const { operationId: id, summary, description: text = "", parameters = [] } = operation;
  const withFields = operation["x-hideTryItPanel"] !== true;
  const { unruled = [], ruled = [] } = Object.groupBy(parameters, ({ title = "" }) =>
    rules.has(title) ? "ruled" : "unruled",
  );
  return `<article aria-labelledby="${id}">
<form class="operation" data-operation="${escapeHtml(writeJson(request.operation))}"${withFields ? "" : " data-hidden"} autocomplete="off" novalidate>
<div class="text">
<h3 id="${id}"><a href="#${id}">${renderMarkdown(summary)}</a></h3>
<p class="route">${methodChip(request.operation.method)} <code>${breakable(request.operation.path)}</code>${badges(operation)}</p>
<p>${renderMarkdown(text)}</p>
${parametersHtml(id, unruled, { heading: "<h4>Parameters</h4>", withFields })}
${bodyHtml(operation, withFields)}
${parametersHtml(id, ruled, { withFields, rules })}
</div>
<div class="panel">
${samplesHtml(request)}
${withFields ? sendHtml(id) : '<p class="note">Requests to this operation cannot be sent from this page.</p>'}
${successExample(operation)}
</div>
<div class="answers">
${answersHtml(operation, rules)}
${errorsHtml(contract, everywhere)}
</div>
</form>
</article>`;
}

/**
 * Creates an operation's request from its example values. The query contains only the first filter, because all filters together
 * would find nothing.
 */
export function exampleRequest(
  { id, method, path, pathParameters = {}, query = {}, body, success }: DocumentedOperation,
  { base, addressOption }: SampleAddress,
): SampleRequest {
  const answer = success.paged ? "list" : success.schema === undefined ? "nothing" : "json";
  const filters = Object.entries(query).filter(([name]) => !(name in pagingParameters));
  const [value] = Object.values(body?.examples ?? {});
  return {
    operation: { id, method, path, addressOption, answer },
    base,
    parameters: [
      ...Object.entries(pathParameters).map(exampleIn("path")),
      ...filters.slice(0, 1).map(exampleIn("query")),
    ],
    body: body && { mediaType: mediaTypesOf(body)[0] ?? "", text: writeJson(value), value },
  };
}

function exampleIn(place: "path" | "query") {
  return ([name, { example }]: [string, Parameters[string]]) => ({ name, in: place, value: example });
}

/** Renders the Send button, and the element where the script shows the response. The button is hidden if JavaScript is off. */
const sendHtml = (
  id: string,
) => `<p class="send try"><button aria-describedby="${id}">Send</button> <span role="status"></span></p>
<div class="answer" role="group" aria-label="Answer" hidden></div>`;

/** Allows a line break before each slash in a long path. */
function breakable(path: string): string {
  return path.replaceAll("/", "<wbr>/");
}

const CALENDAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Renders an operation's badges: deprecated, with the removal date; beta; or experimental. A stable operation has no badge. */
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

/** Renders an operation's code samples. The radio buttons that choose the language work without JavaScript. */
function samplesHtml(request: SampleRequest): string {
  const { id } = request.operation;
  const samples = codeSamples(request);
  const choices = samples.map(({ label }, index) => {
    const checked = index === 0 ? " checked" : "";
    return `<label><input type="radio" name="${id}-language" value="${label}"${checked}>${label}</label>`;
  });
  const blocks = samples.map(
    ({ label, source }) =>
      `<pre tabindex="0" role="group" aria-label="${label} sample" data-language="${label}"><code>${escapeHtml(source)}</code></pre>`,
  );
  return `<fieldset class="samples" aria-label="Sample in">
<div class="languages">${choices.join("\n")}</div>
${blocks.join("\n")}
</fieldset>`;
}

function answersHtml({ responses }: DescribedOperation, rules: RulesByField): string {
  const answers = Object.entries(responses)
    .filter(([status]) => /^[23]/.test(status))
    .map(([status, response]) => (status === "304" ? UNCHANGED : successHtml(status, response, rules)));
  return `<h4>Answers</h4>\n${answers.join("\n")}`;
}

const UNCHANGED =
  '<p><strong class="status">304</strong> <a href="#conditional-requests">Not modified</a></p>';

function successHtml(
  status: string,
  { description: text, headers = {}, content = {} }: DescribedResponse,
  rules: RulesByField,
): string {
  const media = Object.entries(content).map(([mediaType, { schema }]) => answerSchemaHtml(schema, mediaType));
  return `<p><strong class="status status-2xx">${status}</strong> ${renderMarkdown(text)}</p>
${media.join("\n")}
${headersHtml(headers, rules)}`;
}

/**
 * Renders the headers of a response, with descriptions, and with links to the rules about the headers. Headers that every
 * response has are left out.
 */
function headersHtml(headers: Readonly<Record<string, Header>>, rules: RulesByField): string {
  const links: string[] = [];
  const own: string[] = [];
  for (const [name, { title = "", description: text = "" }] of Object.entries(headers)) {
    const rule = rules.get(title);
    if (rule === undefined) own.push(`<code>${name}</code>: ${renderMarkdown(text)}`);
    else if (!rule.isEverywhere) links.push(`<a href="#${rule.id}"><code>${name}</code></a>`);
  }
  const lines = links.length === 0 ? own : [`Header fields: ${links.join(", ")}`, ...own];
  return lines.map((line) => `<p class="note">${line}</p>`).join("\n");
}

/**
 * Renders an operation's error codes, grouped by status. Each code links to the advice about it. The codes that are specific to
 * the operation are visible, and the other statuses are collapsed.
 */
function errorsHtml(operation: DocumentedOperation, everywhere: readonly ErrorCode[]): string {
  const own: readonly ErrorCode[] = operation.errors ?? [];
  const codes = errorsOf(operation).filter((code) => !everywhere.includes(code));
  const errors = [...Map.groupBy(codes, (code) => ERROR_STATUS[code])].sort(([a], [b]) => a - b);
  const rows = errors.map(
    ([status, codes]) =>
      `<li><strong class="status">${status}</strong> ${codes.map(errorLink).join(", ")}</li>`,
  );
  const others = errors.filter(([, codes]) => codes.some((code) => !own.includes(code)));
  const named = own.map((code) => `<code>${code}</code>`);
  const numbers = others.map(([status]) => status).join(" ");
  return `<details><summary>Errors: ${[...named, numbers].filter(Boolean).join(", ")}</summary>
<ul class="errors">
${rows.join("\n")}
<li><a href="#errors">Errors of every operation</a></li>
</ul></details>`;
}

export function errorLink(code: string): string {
  return `<a href="/docs/errors#${code}"><code>${code}</code></a>`;
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
