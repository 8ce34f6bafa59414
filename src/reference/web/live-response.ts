import { JsonError, parseJson, writeJson } from "../../contract/json/json.ts";
import { curlCommand } from "../../contract/openapi/curl.ts";
import type { Child, Component, System } from "./swagger-ui.ts";

/** A response as swagger-ui keeps it. */
export interface LiveResponse {
  readonly status?: number;
  readonly statusText?: string;
  /** A string for textual media types; an empty body is a Blob. */
  readonly text?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly duration?: number;
}

interface Sent {
  readonly path: string;
  readonly method: string;
}

export function liveResponse(system: System, response: LiveResponse, { path, method }: Sent): Child {
  const { createElement: h } = system.React;
  const Code: Component<{ readonly label: string }> = system.getComponent("HighlightCode");
  const { status, text, headers = {}, duration } = response;
  const request = system.specSelectors.mutatedRequestFor(path, method)?.toJS();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const folded = (label: string, code: string) =>
    h("details", null, h("summary", null, label), h(Code, { label }, code));
  return h(
    "div",
    { className: "live", role: "group", "aria-label": "Response" },
    h("h4", null, "Response"),
    h(
      "p",
      null,
      h("strong", { className: `status status-${String(status).charAt(0)}xx` }, statusLine(response)),
      duration !== undefined && ` after ${duration} ms`,
    ),
    typeof text === "string" && text !== "" && h(Code, { label: "Body" }, prettyJson(text)),
    fields.length > 0 && folded("Header fields", fields.join("\n")),
    request !== undefined && folded("The same with curl", curlCommand(request)),
  );
}

/** `201 Created` */
export function statusLine({ status, statusText = "" }: LiveResponse): string {
  if (status === undefined) return "No response: the request was not sent, or the server did not answer.";
  return `${status} ${statusText}`.trim();
}

/** Indents JSON with every digit kept; other text is unchanged. */
function prettyJson(text: string): string {
  try {
    return writeJson(parseJson(text), 2);
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}
