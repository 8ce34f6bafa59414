// Sends requests and reads responses exactly as they are transmitted.

export interface SendOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent unchanged. Its media type is `application/json` unless the headers name a different one. */
  readonly body?: string | Uint8Array;
}

const RETRY_PAUSE_MS = 50;

export type Reply = ReturnType<typeof replyOf>;

export function replyOf(status: number, headers: Headers, body: string) {
  return {
    status,
    headers,
    body,
    /** The body of the response, parsed as JSON. Parsing rounds integers beyond 2^53; if they matter, use the text instead. */
    get json() {
      return JSON.parse(body);
    },
  };
}

/** Sends a request. The body of the response is text, so that integers keep every digit. */
export async function send(method: string, address: string, options: SendOptions = {}): Promise<Reply> {
  const headers = new Headers(options.headers);
  if (options.key !== undefined) headers.set("Authorization", `Bearer ${options.key}`);
  if (options.body !== undefined && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/json");
  if (headers.get("Content-Type") === "none") headers.delete("Content-Type");
  const body = typeof options.body === "string" ? new TextEncoder().encode(options.body) : options.body;
  const response = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body.slice() }),
    redirect: "manual",
  });
  return replyOf(response.status, response.headers, await response.text());
}

/** Repeats a request until its status is not 503. On a busy machine, concurrent changes may miss their deadline. */
export async function persist(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 503) return reply;
    await Bun.sleep(RETRY_PAUSE_MS);
  }
}

export function nextOf({ headers }: Reply): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
}

/** Sends raw bytes through a socket. Resolves to everything received until the connection closes. */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<string> {
  const { port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(bytes),
      data: (_socket, chunk) => {
        received += chunk.toString("latin1");
      },
      close: () => resolve(received),
      error: (_socket, error) => reject(error),
    },
  });
  return promise;
}

/** Sends `METHOD path` with exactly these header lines through a new connection. */
export async function sendLines(
  address: string,
  requestLine: string,
  lines: readonly string[],
): Promise<Reply> {
  const raw = await sendRaw(
    address,
    `${requestLine} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`,
  );
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const [statusLine = "", ...headerLines] = head.split("\r\n");
  const headers = new Headers(
    headerLines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return replyOf(Number(statusLine.split(" ")[1]), headers, rest.join("\r\n\r\n"));
}

/**
 * Sends the headers of a request, but not yet its body. `begun` resolves when the headers have been sent. `end` sends the body and
 * resolves to the response.
 */
export function sendHeldBody(
  address: string,
  lines: readonly string[],
): { begun: Promise<void>; end(body: string): Promise<string> } {
  const answered = Promise.withResolvers<string>();
  let received = "";
  const connecting = Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(address).port),
    socket: {
      data: (_socket, chunk) => {
        received += chunk.toString("latin1");
      },
      close: () => answered.resolve(received),
      error: (_socket, error) => answered.reject(error),
    },
  });
  return {
    begun: connecting.then((socket) => void socket.write(`${lines.join("\r\n")}\r\n\r\n`)),
    async end(body) {
      (await connecting).write(body);
      return answered.promise;
    },
  };
}
