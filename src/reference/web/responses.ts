import { codeBlock } from "./code-block.ts";
import { type LiveResponse, liveResponse, statusLine } from "./live-response.ts";
import type { Child, Component, Plugin, System, Tree } from "./swagger-ui.ts";

/** The response to the last request, and the documented responses, folded. */
export const responsesPlugin: Plugin = () => ({
  wrapComponents: {
    responses: (_original, system) => responses(system),
    HighlightCode: (_original, system) => codeBlock(system),
  },
});

interface ResponsesProps {
  readonly path: string;
  readonly method: string;
  readonly specPath: Tree;
  readonly responses: { toJS(): Readonly<Record<string, DocumentedResponse>> };
  readonly tryItOutResponse?: { toJS(): LiveResponse };
}

interface DocumentedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

interface Media {
  readonly schema?: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

function responses(system: System) {
  const { createElement: h } = system.React;
  return ({ path, method, specPath, responses: documented, tryItOutResponse }: ResponsesProps) =>
    h(
      "div",
      { className: "responses" },
      h(
        "p",
        { role: "status", className: "visually-hidden" },
        tryItOutResponse && statusLine(tryItOutResponse.toJS()),
      ),
      tryItOutResponse && liveResponse(system, tryItOutResponse.toJS(), { path, method }),
      ...codeSamples(system, path, method),
      h("h4", null, "Responses"),
      Object.entries(documented.toJS()).map(([status, response]) =>
        h(
          "details",
          { className: "response", key: status },
          h("summary", null, h("code", null, status), " ", summaryOf(response.description)),
          h("div", { className: "response-body" }, responseDetails(system, response, specPath.push(status))),
        ),
      ),
    );
}

/** The requests of the document, folded: its address is that of the service that serves the page. A webhook has none. */
function codeSamples(
  { React, getComponent, specSelectors }: System,
  path: string,
  method: string,
): readonly Child[] {
  const h = React.createElement;
  const Code: Component<{ readonly label: string }> = getComponent("HighlightCode");
  const samples = specSelectors.specJson().toJS().paths[path]?.[method]?.["x-codeSamples"] ?? [];
  if (samples.length === 0) return [];
  const folded = samples.map(({ label, source }) =>
    h(
      "details",
      { className: "response", key: label },
      h("summary", null, label),
      h("div", { className: "response-body" }, h(Code, { label: `${label} sample` }, source)),
    ),
  );
  return [h("h4", null, "Code samples"), folded];
}

/** The error codes when there are several, else the first sentence. */
function summaryOf(description: string): string {
  const codes = [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) => code);
  if (codes.length > 1) return codes.join(", ");
  const [sentence = ""] = description.split(/\.\s/);
  return sentence.replaceAll("`", "");
}

function responseDetails(
  system: System,
  { description, content = {}, headers = {} }: DocumentedResponse,
  at: Tree,
): Child {
  const { createElement: h } = system.React;
  const Markdown: Component<{ readonly source: string }> = system.getComponent("Markdown", true);
  return [
    h(Markdown, { source: description, key: "description" }),
    Object.entries(content).map(([mediaType, media], index) =>
      h(
        "details",
        // The first media type is the default.
        { key: mediaType, open: index === 0 },
        h("summary", null, h("code", null, mediaType)),
        mediaExample(system, media, at.push("content", mediaType, "schema")),
      ),
    ),
    Object.keys(headers).length > 0 &&
      h(
        "details",
        { key: "headers" },
        h("summary", null, "Header fields"),
        h(
          "dl",
          null,
          Object.entries(headers).map(([name, header]) => [
            h("dt", { key: name }, h("code", null, name)),
            h("dd", { key: `${name}-text` }, h(Markdown, { source: header.description ?? "" })),
          ]),
        ),
      ),
  ];
}

interface ModelExampleProps {
  readonly schema: Tree;
  readonly specPath: Tree;
  readonly example: Child;
  readonly includeReadOnly: true;
}

function mediaExample(system: System, { schema, example, examples }: Media, specPath: Tree): Child {
  const { createElement: h } = system.React;
  const ModelExample: Component<Partial<ModelExampleProps>> = system.getComponent("modelExample", true);
  const Code: Component<{ readonly label: string }> = system.getComponent("HighlightCode");
  const values = Object.entries(examples ?? {}).map(([name, { value }]): [string, unknown] => [name, value]);
  const shown: [string, unknown][] = values.length > 0 ? values : [["Example", example]];
  return h(ModelExample, {
    schema: system.Im.fromJS(schema),
    specPath,
    includeReadOnly: true,
    example: shown.map(([name, value]) =>
      h(Code, { label: name, key: name }, JSON.stringify(value, null, 2) ?? ""),
    ),
  });
}
