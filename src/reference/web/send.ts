import { JsonError, parseJson, writeJson } from "../../contract/json/json.ts";
import { addressOf, headersOf, type SampleRequest } from "../../contract/openapi/code-samples.ts";

/** What came of a request, as it is shown. */
export interface Answer {
  /** `201 Created after 12 ms`, or why there is none. */
  readonly summary: string;
  /** Its first digit; 0 without a response. */
  readonly kind: number;
  readonly headers: string;
  readonly body: string;
}

/** A method and a path of which the document says `x-hideTryItPanel`. */
interface HiddenOperation {
  readonly method: string;
  readonly path: string;
}

/** Sends a request with the key: the one place of this page that reaches the API. It refuses what reaches a hidden operation. */
export async function send(
  request: SampleRequest,
  key: string,
  hidden: readonly HiddenOperation[],
): Promise<Answer> {
  const { method } = request.operation;
  const address = addressOf(request);
  if (hidden.some((operation) => isReached(operation, method, address)))
    return noAnswer("Requests to this operation cannot be sent from this page.");
  const began = performance.now();
  try {
    const response = await fetch(address, {
      method,
      headers: { ...headersOf(request), ...(key !== "" && { Authorization: `Bearer ${key}` }) },
      ...(request.body && { body: request.body.text }),
      credentials: "omit",
    });
    const text = await response.text();
    return {
      summary: `${response.status} ${response.statusText} after ${Math.round(performance.now() - began)} ms`,
      kind: Math.floor(response.status / 100),
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
      body: prettyJson(text),
    };
  } catch {
    return noAnswer("No answer: the request was not sent, or the server did not answer.");
  }
}

function noAnswer(summary: string): Answer {
  return { summary, kind: 0, headers: "", body: "" };
}

/** By the address as the browser reads it: a parameter of another operation must not lead to a hidden one either. */
function isReached(operation: HiddenOperation, method: string, address: string): boolean {
  const target = decodeURIComponent(new URL(address).pathname).replace(/\/+$/, "");
  const path = new RegExp(`${operation.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  return operation.method === method && path.test(target);
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
