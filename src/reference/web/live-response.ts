import { JsonError, parseJson, writeJson } from "../../contract/json/json.ts";
import { curlCommand } from "./curl.ts";
import type { Child, Component, System } from "./swagger-ui.ts";

/** What came back from a request, as swagger-ui keeps it. */
export interface LiveAnswer {
  readonly status?: number;
  readonly statusText?: string;
  /** A string when the answer says that it is text; an empty one arrives as a Blob. */
  readonly text?: unknown;
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
  const { status, text, headers = {}, duration } = answer;
  const request = system.specSelectors.mutatedRequestFor(path, method)?.toJS();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const folded = (label: string, code: string) =>
    h("details", null, h("summary", null, label), h(Code, { label }, code));
  return h(
    "div",
    { className: "live", role: "group", "aria-label": "What came back" },
    h("h4", null, "What came back"),
    h(
      "p",
      null,
      h("strong", { className: `status status-${String(status).charAt(0)}xx` }, statusLine(answer)),
      duration !== undefined && ` after ${duration} ms`,
    ),
    typeof text === "string" && text !== "" && h(Code, { label: "Body" }, prettyJson(text)),
    fields.length > 0 && folded("Header fields", fields.join("\n")),
    request !== undefined && folded("The same with curl", curlCommand(request)),
  );
}

/** `201 Created`, or that nothing came. */
export function statusLine({ status, statusText = "" }: LiveAnswer): string {
  if (status === undefined) return "Nothing: it was not sent, or nobody answered.";
  return `${status} ${statusText}`.trim();
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
