import { documentAt, documentOf } from "../../api/openapi-documents.ts";
import { sampleOperation } from "../../contract/openapi/example-request.ts";
import type { Document } from "../../contract/openapi/openapi.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { loadReferenceAssets } from "../assets.ts";
import { currentDocument } from "../document-page.ts";
import { type ContentsGroup, createFrameServer, type Frame } from "../frame.ts";
import { renderMarkdown } from "../markdown.ts";
import type { Site } from "../site.ts";
import { errorBodyHtml } from "./answers-html.ts";
import { connectionHtml, type Server } from "./connection-html.ts";
import { deliveriesHtml } from "./delivery-html.ts";
import { type Description, describe } from "./described-document.ts";
import { operationHtml } from "./operation-html.ts";

/** The reference at `/docs`, made of the OpenAPI document. The service that serves it is the server selected when it opens. */
export function referencePage(site: Site): StaticPage["respond"] {
  const textAt = currentDocument(site);
  const serve = createFrameServer(site);
  return async ({ base }, context) => {
    const document = documentAt(documentOf(site.own), context.contractNow);
    const servers = document.services.map((name) => {
      const isOwn = name === site.own;
      return { name, url: isOwn ? base : site.addressOf(name), isOwn };
    });
    const { key, text } = textAt(base, context.contractNow);
    const frame = () => referenceFrame(document, describe(text()), servers);
    // The page may also send requests to the other environment, which is another origin.
    const origins = servers.map(({ url }) => new URL(url).origin);
    return serve(key, frame, context, { "connect-src": ["'self'", ...origins].join(" ") });
  };
}

async function referenceFrame(
  { title, operations, addressOption, webhooks }: Document,
  description: Description,
  servers: readonly Server[],
): Promise<Frame> {
  const { document } = description;
  const described = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
  const sections = document.tags.map(({ name, description: text }) => {
    const own = operations.filter(({ tag }) => tag === name);
    const articles = own.flatMap((operation) => {
      const found = described.get(operation.id);
      return found === undefined
        ? []
        : [operationHtml(description, found, sampleOperation(operation, addressOption))];
    });
    return `<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${name}</h2>
<p>${renderMarkdown(text)}</p>
${articles.join("\n")}
</section>`;
  });
  const { style, script } = await loadReferenceAssets();
  return {
    title: `${title} API reference`,
    contents: [
      ...document.tags.map(({ name }) => operationLinks(name, operations)),
      { title: "Errors", links: [{ href: "#error-bodies", label: "The body of an error" }] },
      {
        title: "What the service sends",
        links: [
          { href: "#deliveries", label: "Header fields, your answer" },
          ...webhooks.requests.map(({ type }) => ({ href: `#${type}`, label: type })),
        ],
      },
    ],
    main: `${introduction(document.info.description)}
${connectionHtml(servers)}
${sections.join("\n")}
${[...described.values()].slice(0, 1).map((operation) => errorBodyHtml(description, operation))}
${deliveriesHtml(description)}`,
    assets: [style, script],
  };
}

function operationLinks(tag: string, operations: Document["operations"]): ContentsGroup {
  const own = operations.filter((operation) => operation.tag === tag);
  return {
    title: tag,
    links: own.map(({ id, method, summary }) => ({ href: `#${id}`, label: summary, method })),
  };
}

/** The document's description without the table of errors, which is at `/docs/errors`. */
function introduction(description: string): string {
  const paragraphs = description.split("\n\n").filter((paragraph) => !paragraph.startsWith("|"));
  return paragraphs.map((paragraph) => `<p>${renderMarkdown(paragraph)}</p>`).join("\n");
}
