import { documentAt, documentOf } from "../../api/openapi-documents.ts";
import type { Document } from "../../contract/openapi/openapi.ts";
import type { WebhookRequest } from "../../contract/openapi/webhooks.ts";
import { errorsOf } from "../../contract/operation-errors.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { loadReferenceAssets } from "../assets.ts";
import { currentDocument } from "../document-page.ts";
import { type ContentsGroup, createFrameServer, type Frame } from "../frame.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import type { Site } from "../site.ts";
import {
  type DescribedDocument,
  type DescribedOperation,
  operationsOf,
  readDocument,
  type Schema,
} from "./described-document.ts";
import { parametersHtml } from "./fields-html.ts";
import { mediaExamples, operationHtml } from "./operation-html.ts";
import { ruleHtml } from "./rule-html.ts";
import { findRules, type RuleAddresses, rulesByField } from "./rules.ts";
import { answerSchemaHtml, objectHtml, objectsIn } from "./schema-html.ts";

/**
 * Serves the reference at `/docs`, which is generated from the OpenAPI document. In the list of servers, the service that serves
 * the page is preselected.
 */
export function referencePage(site: Site): StaticPage["respond"] {
  const referenceAt = createReference(site);
  const serve = createFrameServer(site);
  return ({ base }, context) => {
    const { key, servers, frame } = referenceAt(base, context.contractNow);
    // The reference page must also be able to send requests to the other environment, which has another origin.
    const origins = servers.map(({ url }) => new URL(url).origin);
    return serve(key, frame, context, { "connect-src": ["'self'", ...origins].join(" ") });
  };
}

/** Creates a function that renders a service's API reference, with a given base address and as of a given time. */
export function createReference(site: Site) {
  const textAt = currentDocument(site);
  const consoleOrigin = site.own === "messages" ? new URL(site.addressOf("production")).origin : "";
  return (base: string, now: number) => {
    const document = documentAt(documentOf(site.own), now);
    const servers = document.services.map((name) => {
      const isOwn = name === site.own;
      return { name, url: isOwn ? base : site.addressOf(name), isOwn };
    });
    const { key, text } = textAt(base, now);
    const frame = () => referenceFrame(document, readDocument(text()), servers, { base, consoleOrigin });
    return { key, servers, frame };
  };
}

async function referenceFrame(
  { title, tags, operations, addressOption, webhooks }: Document,
  document: DescribedDocument,
  servers: readonly Server[],
  addresses: RuleAddresses,
): Promise<Frame> {
  const rules = findRules(document, addresses);
  const byField = rulesByField(rules);
  const described = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  const [first = [], ...others] = operations.map(errorsOf);
  const everywhere = first.filter((code) => others.every((codes) => codes.includes(code)));
  const sections = tags.map(({ name, description: text }) => {
    const own = operations.filter(({ tag }) => tag === name);
    const articles = own.flatMap((operation) => {
      const found = described.get(operation.id);
      if (found === undefined) return [];
      return [operationHtml(found, operation, { base: addresses.base, addressOption }, byField, everywhere)];
    });
    return `<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${name}</h2>
<p>${renderMarkdown(text)}</p>
${articles.join("\n")}
</section>`;
  });
  const objects = objectsOf(document);
  const { style, script } = await loadReferenceAssets();
  const [introduction = ""] = document.info.description.split("\n\n");
  return {
    title: `${title} API reference`,
    contents: [
      { title: "Basics", links: rules.map(({ id, title }) => ({ href: `#${id}`, label: title })) },
      ...tags.map(({ name }) => operationLinks(name, operations)),
      {
        title: "Objects",
        links: objects.map(({ title = "" }) => ({ href: `#${title}`, label: title })),
      },
      {
        title: "What the service sends",
        links: [
          { href: "#deliveries", label: "Header fields, your answer" },
          ...webhooks.requests.map(({ name, summary }) => ({ href: `#${name}`, label: summary })),
        ],
      },
    ],
    main: `<p>${renderMarkdown(introduction)}</p>
${connectionHtml(servers)}
${rules.map((rule) => ruleHtml(rule, document, everywhere)).join("\n")}
${sections.join("\n")}
<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
${objects.map(objectHtml).join("\n")}
</section>
${deliveriesHtml(document, webhooks)}`,
    assets: [style, script],
  };
}

/** Returns the objects that occur in responses and deliveries, in the order of their first occurrence. */
function objectsOf(document: DescribedDocument): readonly Schema[] {
  const answers = operationsOf(document).flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, response]) => response),
  );
  const deliveries = Object.values(document.webhooks).map(({ post }) => post.requestBody);
  const schemas = [...answers, ...deliveries].flatMap((body) =>
    Object.values(body?.content ?? {}).flatMap(({ schema }) => objectsIn(schema)),
  );
  return [...new Map(schemas.map((schema) => [schema.title, schema])).values()];
}

function operationLinks(tag: string, operations: Document["operations"]): ContentsGroup {
  const own = operations.filter((operation) => operation.tag === tag);
  return {
    title: tag,
    links: own.map(({ id, method, summary }) => ({ href: `#${id}`, label: summary, method })),
  };
}

interface Server {
  readonly name: string;
  readonly url: string;
  readonly isOwn: boolean;
}

function connectionHtml(servers: readonly Server[]): string {
  const kept = servers.length > 1 ? ", one key for each environment" : "";
  return `<section class="connection try" aria-labelledby="connection">
<h2 id="connection">Try it</h2>
<fieldset class="servers">
<legend>Requests go to</legend>
${servers.map(choice).join("\n")}
</fieldset>
<div class="key">
<label for="key">API key</label>
<div><input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-note">
<button type="button" id="reveal" aria-pressed="false" aria-controls="key">Show</button></div>
<p id="key-note">The key is kept only in this page${kept}, and is deleted when you leave the page.</p>
<p hidden><button type="button" id="session-key">Create and use a one-hour read key</button> <span role="status"></span></p>
</div>
</section>
<p class="without-script">Sending requests from this page needs JavaScript; the rest of the page works without it.</p>`;
}

function choice({ name, url, isOwn }: Server): string {
  const address = escapeHtml(url);
  return `<label><input type="radio" name="server" value="${address}" data-environment="${name}"${isOwn ? " checked data-own" : ""}>
<span><strong>${name}</strong> <code class="quiet">${address}</code></span></label>`;
}

/**
 * Renders the section about webhooks. It shows the headers and responses that all deliveries share, followed by the request for
 * each kind of resource.
 */
function deliveriesHtml({ webhooks }: DescribedDocument, { requests }: Document["webhooks"]): string {
  const [first] = Object.values(webhooks);
  if (first === undefined) return "";
  return `<section aria-labelledby="deliveries">
<div class="intro">
<h2 id="deliveries">What the service sends</h2>
<p>The service sends these requests to your program, which answers them.</p>
${parametersHtml("deliveries", first.post.parameters ?? [], { heading: "<h3>Header fields</h3>", withFields: false })}
<h3>Your answer</h3>
<ul class="errors">
${yourAnswers(first.post)}
</ul>
</div>
${requests.map((request) => deliveryHtml(request, webhooks[request.name]?.post)).join("\n")}
</section>`;
}

function yourAnswers({ responses }: DescribedOperation): string {
  return Object.entries(responses)
    .map(
      ([status, { description }]) =>
        `<li><strong class="status">${status}</strong> ${renderMarkdown(description)}</li>`,
    )
    .join("\n");
}

function deliveryHtml(
  { name, types, summary, description: text }: WebhookRequest,
  operation: DescribedOperation | undefined,
): string {
  const content = Object.entries(operation?.requestBody?.content ?? {});
  return `<article class="operation" aria-labelledby="${name}">
<div class="text">
<h3 id="${name}"><a href="#${name}">${types.join(", ")}</a></h3>
<p>${renderMarkdown(summary)}.</p>
${text === undefined ? "" : `<p>${renderMarkdown(text)}</p>`}
${content.map(([mediaType, { schema }]) => answerSchemaHtml(schema, mediaType)).join("\n")}
</div>
<div class="panel">
${content.map(([, media]) => mediaExamples(media)).join("\n")}
</div>
</article>`;
}
