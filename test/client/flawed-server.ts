import { afterEach, expect } from "bun:test";
import { createServer, type Socket } from "node:net";
import {
  type Client,
  type ClientOptions,
  createClient,
  PetstoreConnectionError,
  PetstoreError,
} from "../../client/src/client.ts";

export const KEY = "pet_live_secretsecretsecret";

/** A request that the test server has received. Header names are in lower case. */
export interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The reaction of the test server to a request: it sends the bytes of a response, at once or in pieces; it closes the connection
 * without a response (`hang up`); or it leaves the connection open (`silence`).
 */
export type Reply = string | AsyncIterable<string> | "hang up" | "silence";

export interface FlawedServer {
  readonly origin: string;
  readonly seen: readonly Seen[];
  stop(): void;
}

/** Starts a test server with faults. It uses a new connection for each request. */
export async function startFlawedServer(
  reply: (request: Seen, count: number) => Reply | Promise<Reply>,
): Promise<FlawedServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const request = await readRequest(socket);
    if (request === undefined) return;
    seen.push(request);
    const answer = await reply(request, seen.length);
    if (answer === "silence") return;
    if (answer === "hang up") socket.destroy();
    else if (typeof answer === "string") socket.end(answer);
    else await sendPieces(socket, answer);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    seen,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface ScriptedClient extends FlawedServer {
  readonly client: Client;
}
type Script = (request: Seen, count: number) => Reply | Promise<Reply>;

/**
 * Creates a client of a test server that sends the given replies in order. The last reply answers all further requests. The server
 * stops after the test.
 */
export async function clientOf(
  replies: readonly (Reply | (() => Reply))[] | Script,
  options: Partial<ClientOptions> = {},
): Promise<ScriptedClient> {
  const scripted: Script = (_, count) => {
    if (typeof replies === "function") return "silence";
    const reply = replies[count - 1] ?? replies.at(-1) ?? "silence";
    return typeof reply === "function" ? reply() : reply;
  };
  const server = await startFlawedServer(typeof replies === "function" ? replies : scripted);
  open.push(server);
  const { origin } = server;
  const client = createClient({ key: KEY, baseUrl: `${origin}/v1`, messagesUrl: origin, ...options });
  return { ...server, client };
}

const open: FlawedServer[] = [];
/** Stops every server that `clientOf` has started, after each test. */
export function stopAfterEach(): void {
  afterEach(() => {
    for (const server of open.splice(0)) server.stop();
  });
}

/** Returns the error that a call of the client throws. Fails if the error message contains the API key. */
export async function failureOf(call: Promise<unknown>): Promise<PetstoreError | PetstoreConnectionError> {
  const error = await call.then(
    () => new Error("It succeeded."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PetstoreError || error instanceof PetstoreConnectionError)) throw error;
  expect(Bun.inspect(error)).not.toContain("secret");
  return error;
}

async function sendPieces(socket: Socket, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  socket.end();
}

/** Resolves to undefined if the client disconnects before its request is complete. */
function readRequest(socket: Socket): Promise<Seen | undefined> {
  const { promise, resolve } = Promise.withResolvers<Seen | undefined>();
  let received = "";
  socket.setEncoding("utf8");
  socket.on("close", () => resolve(undefined));
  socket.on("data", (chunk: string) => {
    received += chunk;
    const [head = "", body] = received.split(/\r\n\r\n([\s\S]*)/);
    if (body === undefined) return;
    const [requestLine = "", ...lines] = head.split("\r\n");
    const [method = "", target = ""] = requestLine.split(" ");
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    if (Buffer.byteLength(body) >= Number(headers["content-length"] ?? 0))
      resolve({ method, target, headers, body });
  });
  return promise;
}

/** Builds the bytes of an HTTP response. */
export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const lines = {
    "Content-Type": typeof body === "string" ? "text/html" : "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
    ...headers,
  };
  return [
    `HTTP/1.1 ${status} Status`,
    ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
    "",
    text,
  ].join("\r\n");
}

export function refusal(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  return answer(status, { code, message: `Refused: ${code}.`, status }, headers);
}
