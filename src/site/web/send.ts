import { addressOf, headersOf, type SampleRequest } from "../reference/code-samples.ts";

export interface Answer {
  /** The status and the duration, such as `201 Created after 12 ms`, or the reason why there was no response. */
  readonly summary: string;
  /** The first digit of the status, or 0 if there is no response. */
  readonly kind: number;
  readonly headers: string;
  readonly body: string;
}

/** The method and path of an operation that is marked with `x-hideTryItPanel`. */
interface HiddenOperation {
  readonly method: string;
  readonly path: string;
}

/**
 * Sends a request with the API key. All of the page's requests to the API go through this function, because it refuses the
 * addresses of hidden operations.
 */
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
    return noAnswer("No response was received: the request could not be sent, or the server did not answer.");
  }
}

function noAnswer(summary: string): Answer {
  return { summary, kind: 0, headers: "", body: "" };
}

/**
 * Returns true if the browser would resolve an address to that of a hidden operation. The parameters of another operation may
 * contain such an address.
 */
function isReached(operation: HiddenOperation, method: string, address: string): boolean {
  const target = decodeURIComponent(new URL(address).pathname).replace(/\/+$/, "");
  const path = new RegExp(`${operation.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  return operation.method === method && path.test(target);
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+)\s*/g;

/**
 * Indents JSON token by token, so that numbers stay exactly as the service sent them, in any browser. Returns any other text
 * unchanged.
 */
function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const newLine = () => `\n${"  ".repeat(depth)}`;
  return text.replaceAll(TOKEN, (_, token: string) => {
    if (token === ":") return ": ";
    if (token === ",") return `,${newLine()}`;
    if (token === "{" || token === "[") {
      depth++;
      return token + newLine();
    }
    if (token === "}" || token === "]") {
      depth--;
      return newLine() + token;
    }
    return /^[{[]/.test(token) ? token.replaceAll(/\s/g, "") : token;
  });
}
