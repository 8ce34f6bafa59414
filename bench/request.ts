export interface Target {
  readonly port: number;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function headersOf({ key }: Target, { headers = {}, body }: Extras): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    Accept: "*/*",
    "User-Agent": "petstore-bench",
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...headers,
  };
}

/** One request that is not measured. */
export async function ask(target: Target, method: string, path: string, extras: Extras = {}): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, {
    method,
    headers: headersOf(target, extras),
    ...(extras.body !== undefined && { body: extras.body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The same request as HTTP/1.1 text. */
export function requestText(target: Target, method: string, path: string, extras: Extras = {}): string {
  const { body } = extras;
  const lines = Object.entries({
    Host: `127.0.0.1:${target.port}`,
    ...headersOf(target, extras),
    ...(body !== undefined && { "Content-Length": String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

/** Path and query of the next page, if there is one (RFC 8288). */
export function nextPath({ headers }: Reply): string | undefined {
  const address = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address);
  return pathname + search;
}
