import { JsonError, parseJson, writeJson } from "../../contract/json.ts";
import { curlCommand } from "./curl.ts";
import type { Child, Component, System } from "./swagger-ui.ts";

/** What came back from a request, as swagger-ui keeps it. */
export interface LiveAnswer {
  readonly status?: number;
  readonly statusText?: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly duration?: number;
}

interface Sent {
  readonly path: string;
  readonly method: string;
}

export function liveAnswer(system: System, answer: LiveAnswer, { path, method }: Sent): Child {
  const { createElement: h } = system.React;
  const Code: Component<{ readonly label: string }> = system.getComponent("HighlightCode");
  const { status, statusText, text, headers = {}, duration } = answer;
  const request = system.specSelectors.mutatedRequestFor(path, method)?.toJS();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const folded = (label: string, code: string) =>
    h("details", null, h("summary", null, label), h(Code, { label }, code));
  return h(
    "section",
    { className: "live", "aria-label": "What came back" },
    h("h4", null, "What came back"),
    h("p", null, statusLine(system, status, statusText), duration !== undefined && ` after ${duration} ms`),
    text !== undefined && text !== "" && h(Code, { label: "Body" }, prettyJson(text)),
    fields.length > 0 && folded("Header fields", fields.join("\n")),
    request !== undefined && folded("The same with curl", curlCommand(request)),
  );
}

function statusLine({ React: { createElement: h } }: System, status?: number, statusText = ""): Child {
  if (status === undefined) {
    return h("strong", { className: "status" }, "Nothing: it was not sent, or nobody answered.");
  }
  return h(
    "strong",
    { className: `status status-${String(status).charAt(0)}xx` },
    `${status} ${statusText}`.trim(),
  );
}

/** Indented without losing a digit; what is not JSON stays as it came. */
function prettyJson(text: string): string {
  try {
    return writeJson(parseJson(text), 2);
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}
