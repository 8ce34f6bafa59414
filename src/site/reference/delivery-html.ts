import { renderMarkdown } from "../markdown.ts";
import { mediaExamples } from "./answers-html.ts";
import type { DescribedOperation, DescribedResponse, Description } from "./described-document.ts";
import { parametersHtml } from "./fields-html.ts";
import { schemaHtml } from "./schema-html.ts";

/** What the service sends: the header fields and answers that all deliveries share, then each type. */
export function deliveriesHtml(description: Description): string {
  const requests = Object.entries(description.document.webhooks).map(([type, { post }]) => ({ type, post }));
  const [first] = requests;
  if (first === undefined) return "";
  return `<section aria-labelledby="deliveries">
<div class="intro">
<h2 id="deliveries">What the service sends</h2>
<p>The service sends these requests to your program, which answers them.</p>
${parametersHtml(description, first.post, { heading: "<h3>Header fields</h3>", withFields: false })}
<h3>Your answer</h3>
<ul class="errors">
${yourAnswers(description, first.post)}
</ul>
</div>
${requests.map(({ type, post }) => deliveryHtml(description, type, post)).join("\n")}
</section>`;
}

function yourAnswers(description: Description, { responses }: DescribedOperation): string {
  return Object.entries(responses)
    .map(([status, of]) => {
      const { description: text } = description.resolve<DescribedResponse>(of);
      return `<li><strong class="status">${status}</strong> ${renderMarkdown(text)}</li>`;
    })
    .join("\n");
}

function deliveryHtml(description: Description, type: string, operation: DescribedOperation): string {
  const { summary, description: text, requestBody } = operation;
  const content = Object.entries(requestBody?.content ?? {});
  return `<article class="operation" aria-labelledby="${type}">
<div class="text">
<h3 id="${type}"><a href="#${type}">${type}</a></h3>
<p>${renderMarkdown(summary)}.</p>
${text === undefined ? "" : `<p>${renderMarkdown(text)}</p>`}
${content.map(([mediaType, { schema }]) => schemaHtml(description, schema, [mediaType])).join("\n")}
</div>
<div class="panel">
${content.map(([, media]) => mediaExamples(media)).join("\n")}
</div>
</article>`;
}
