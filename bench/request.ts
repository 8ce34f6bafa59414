/** The port of a running server, and its API keys. */
export interface Target {
  readonly name: string;
  readonly port: number;
  readonly key: string;
  /** An API key that is well-formed but does not exist. */
  readonly unknownKey: string;
  /** The number of animals in the server's store at the start. */
  readonly animals: number;
}

export interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The HTTP method. If left out, it is POST for a request with a body, and GET for one without. */
  readonly method?: "PATCH";
  /** The HTTP status that the response must have. */
  readonly status: number;
}

/** Returns the port of the program that receives webhook deliveries from the server at `port`. */
export const receiverOf = (port: number) => port - 10_000;

export function get({ key }: Target, path: string, status = 200): Request {
  return { path, headers: { Authorization: `Bearer ${key}` }, status };
}

export function post(
  { key }: Target,
  body: string,
  headers: Request["headers"] = {},
  path = "/v1/pets",
): Request {
  const json = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
  return { path, headers: { Authorization: `Bearer ${key}`, ...json, ...headers }, body, status: 201 };
}

export function patch(target: Target, body: string, path: string): Request {
  return { ...post(target, body, {}, path), method: "PATCH", status: 200 };
}

function methodOf({ method, body }: Request): string {
  return method ?? (body === undefined ? "GET" : "POST");
}

/** Writes a request as the text of an HTTP/1.1 message. */
export function textOf({ port }: Target, request: Request): string {
  const { path, headers, body } = request;
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Accept: "*/*", ...headers });
  const head = `${methodOf(request)} ${path} HTTP/1.1\r\n`;
  return `${head}${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n${body ?? ""}`;
}

/** Sends a request that is not measured. */
export async function ask({ port }: Target, request: Request) {
  const { path, headers, body } = request;
  const init = { method: methodOf(request), headers, ...(body !== undefined && { body }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, link: response.headers.get("link"), text: await response.text() };
}

const followed = new Map<string, readonly string[]>();

/**
 * Follows `Link` headers (RFC 8288) from page to page, and returns the paths of the pages. They are valid for every copy of the
 * server's store.
 */
export async function followPages(target: Target, count: number, first: string): Promise<readonly string[]> {
  const known = followed.get(target.name);
  if (known !== undefined) return known;
  const paths = [first];
  while (paths.length < count) {
    const { link } = await ask(target, get(target, paths.at(-1) ?? first));
    const next = /<([^>]+)>; rel="next"/.exec(link ?? "")?.[1];
    if (next === undefined) break;
    const { pathname, search } = new URL(next);
    paths.push(pathname + search);
  }
  followed.set(target.name, paths);
  return paths;
}
