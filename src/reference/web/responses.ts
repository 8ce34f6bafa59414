import { codeBlock } from "./code-block.ts";
import { type LiveAnswer, liveAnswer, statusLine } from "./live-response.ts";
import type { Child, Component, Plugin, System, Tree } from "./swagger-ui.ts";

/** Answers: the one that came, and those that are described, folded. */
export const answersPlugin: Plugin = () => ({
  wrapComponents: {
    responses: (_original, system) => answers(system),
    HighlightCode: (_original, system) => codeBlock(system),
  },
});

interface AnswersProps {
  readonly path: string;
  readonly method: string;
  readonly specPath: Tree;
  readonly responses: { toJS(): Readonly<Record<string, Described>> };
  readonly tryItOutResponse?: { toJS(): LiveAnswer };
}

interface Described {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

interface Media {
  readonly schema?: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

function answers(system: System) {
  const { createElement: h } = system.React;
  return ({ path, method, specPath, responses, tryItOutResponse }: AnswersProps) =>
    h(
      "div",
      { className: "answers" },
      h(
        "p",
        { role: "status", className: "unseen" },
        tryItOutResponse && statusLine(tryItOutResponse.toJS()),
      ),
      tryItOutResponse && liveAnswer(system, tryItOutResponse.toJS(), { path, method }),
      h("h4", null, "Answers"),
      Object.entries(responses.toJS()).map(([status, answer]) =>
        h(
          "details",
          { className: "answer", key: status },
          h("summary", null, h("code", null, status), " ", beginning(answer.description)),
          h("div", { className: "answer-body" }, described(system, answer, specPath.push(status))),
        ),
      ),
    );
}

/** What fits beside a status: the error codes where there are several, or else the first sentence. */
function beginning(description: string): string {
  const codes = [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) => code);
  if (codes.length > 1) return codes.join(", ");
  const [sentence = ""] = description.split(/\.\s/);
  return sentence.replaceAll("`", "");
}

function described(system: System, { description, content = {}, headers = {} }: Described, at: Tree): Child {
  const { createElement: h } = system.React;
  const Markdown: Component<{ readonly source: string }> = system.getComponent("Markdown", true);
  return [
    h(Markdown, { source: description, key: "description" }),
    Object.entries(content).map(([mediaType, media], index) =>
      h(
        "details",
        // The first is what a client gets that does not ask for another.
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
