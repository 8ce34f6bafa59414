import { writeJson } from "../../contract/json/json.ts";
import type { SampleOperation } from "../../contract/openapi/code-samples.ts";
import { methodChip } from "../frame.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import { answersHtml, successExample } from "./answers-html.ts";
import type { DescribedOperation } from "./described-document.ts";
import { bodyHtml, parametersHtml } from "./fields-html.ts";

/**
 * An operation: text, and beside it samples, Send and the answer. One form is around all of it: what is typed is in the samples, and
 * is sent.
 */
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

/** The script shows the answer in it; without one there is no button. */
const sendHtml = (
  id: string,
) => `<p class="send try"><button aria-describedby="${id}">Send</button> <span role="status"></span></p>
<div class="answer" role="group" aria-label="Answer" hidden></div>`;

/** A long path may break before each slash. */
function breakable(path: string): string {
  return path.replaceAll("/", "<wbr>/");
}

const CALENDAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Deprecated with its end, beta or experimental; nothing for a stable operation. */
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

/** The requests of the document, made from its examples; the radio buttons need no script. */
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
