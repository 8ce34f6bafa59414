import type { Socket } from "bun";

// Type bytes of the messages that this proxy has to recognize (PostgreSQL, "Message Formats").
const PARSE = "P";
const BIND = "B";
const QUERY = "Q";
const SYNC = "S";
const READY_FOR_QUERY = "Z";

/** A proxy for PostgreSQL that records statements, and can hold back responses. */
export interface Relay {
  readonly url: string;
  /** The statements that were executed, in order of arrival. */
  readonly statements: string[];
  connections(): number;
  /** Returns true while the server still has to answer something that a client has sent. */
  isBusy(): boolean;
  /** Starts to hold back the responses to matching statements, and all later responses on the same connections. */
  hold(statement?: RegExp): Hold;
  /**
   * Splits the next execution of a matching statement into two parts. Holds back the second part, as if the network had failed
   * after the first.
   */
  interrupt(statement: RegExp): { proceed(): void };
  stop(): void;
}

interface Interruption {
  readonly statement: RegExp;
  readonly over: Promise<void>;
}

interface Hold {
  /** Resolves once the first response has been held back. */
  readonly held: Promise<void>;
  release(): void;
}

interface Side {
  readonly server: Promise<Socket>;
  /** Parses messages that the client sends to the server. */
  readonly read: (bytes: Buffer) => void;
  /** Parses messages that the server sends to the client. */
  readonly readAnswer: (bytes: Buffer) => void;
  /** The statement of the latest Bind or Query message since the latest Sync message, or "" if there is none. */
  statement: string;
  /**
   * The requests that the server has not answered yet, each as its statement. The startup message, each Sync and each Query are
   * requests. The statement of a request that executes none is "".
   */
  unanswered: string[];
  /** Resolves once the proxy may forward what the client sends next. */
  gate: Promise<void>;
  /** The interruption of this connection, and the number of bytes that follow the interrupted message in the same segment. */
  interrupted?: { readonly over: Promise<void>; readonly following: number };
}

export function startRelay(url: string): Relay {
  const { hostname, port } = new URL(url);
  const statements: string[] = [];
  const holds = new Set<(client: Socket<Side>, answered: readonly string[], send: () => void) => boolean>();
  const clients = new Set<Socket<Side>>();
  let interruption: Interruption | undefined;

  function forward({ data }: Socket<Side>, bytes: Buffer): void {
    if (bytes.length === 0) return;
    const { gate } = data;
    void data.server.then(async (server) => {
      await gate;
      server.write(bytes);
    });
  }

  function answer(client: Socket<Side>, bytes: Buffer): void {
    const copy = Buffer.from(bytes);
    const before = client.data.unanswered;
    client.data.readAnswer(copy);
    const answered = before.slice(0, Math.max(1, before.length - client.data.unanswered.length));
    const send = () => void client.write(copy);
    if (![...holds].some((take) => take(client, answered, send))) send();
  }

  const listener = Bun.listen<Side>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        clients.add(client);
        const server = Bun.connect({
          hostname,
          port: Number(port),
          socket: { data: (_server, bytes) => answer(client, bytes), close: () => void client.end() },
        });
        const note = createNoter((sql) => {
          statements.push(sql);
          client.data.statement = sql;
        });
        const read = createReader({ isStarted: false }, (type, body, following) => {
          note(type, body, following);
          if (type === SYNC || type === QUERY) {
            client.data.unanswered = [...client.data.unanswered, client.data.statement];
            client.data.statement = "";
          }
          if (type !== BIND || !interruption?.statement.test(client.data.statement)) return;
          client.data.interrupted = { over: interruption.over, following };
          interruption = undefined;
        });
        const readAnswer = createReader({ isStarted: true }, (type) => {
          if (type === READY_FOR_QUERY) client.data.unanswered = client.data.unanswered.slice(1);
        });
        const gate = Promise.resolve();
        client.data = { server, read, readAnswer, statement: "", unanswered: [""], gate };
      },
      data(client, bytes) {
        const copy = Buffer.from(bytes);
        const before = client.data.interrupted;
        client.data.read(copy);
        const { interrupted } = client.data;
        if (interrupted === before || interrupted === undefined) return forward(client, copy);
        const end = copy.length - interrupted.following;
        forward(client, copy.subarray(0, end));
        // Bytes that are forwarded from now on wait for the end of the interruption.
        client.data.gate = interrupted.over;
        forward(client, copy.subarray(end));
      },
      close(client) {
        clients.delete(client);
        void client.data.server.then((server) => server.end());
      },
    },
  });

  const address = new URL(url);
  address.port = String(listener.port);
  return {
    url: address.href,
    statements,
    connections: () => clients.size,
    isBusy: () => [...clients].some(({ data }) => data.unanswered.length > 0),
    hold(statement = /(?:)/) {
      const first = Promise.withResolvers<void>();
      const heldClients = new Set<Socket<Side>>();
      const answers: (() => void)[] = [];
      const take = (client: Socket<Side>, answered: readonly string[], send: () => void) => {
        if (!heldClients.has(client) && !answered.some((sql) => statement.test(sql))) return false;
        // All later responses on the connection are held back as well, so that they stay in order.
        heldClients.add(client);
        answers.push(send);
        first.resolve();
        return true;
      };
      holds.add(take);
      return {
        held: first.promise,
        release() {
          holds.delete(take);
          for (const send of answers) send();
        },
      };
    },
    interrupt(statement) {
      const { promise: over, resolve: proceed } = Promise.withResolvers<void>();
      interruption = { statement, over };
      return { proceed };
    },
    stop: () => listener.stop(true),
  };
}

/** @param following number of bytes that arrived after this message */
type ReadMessage = (type: string, body: Buffer, following: number) => void;

/**
 * Creates a function that records a client's statements. A Parse message names a statement, and a Bind or Query message executes
 * one.
 */
function createNoter(onStatement: (sql: string) => void): ReadMessage {
  const prepared = new Map<string, string>();
  return (type, body) => {
    const [one = "", two = ""] = body.toString("latin1").split("\0");
    if (type === PARSE) prepared.set(one, two);
    if (type === BIND) onStatement(prepared.get(two) ?? "");
    if (type === QUERY) onStatement(one);
  };
}

/**
 * Creates a parser for messages (PostgreSQL, "Message Formats").
 *
 * @param stream `isStarted` is false for the messages of a client, because a client's first message has no type byte
 */
function createReader(stream: { isStarted: boolean }, readMessage: ReadMessage): (bytes: Buffer) => void {
  let { isStarted } = stream;
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (rest.length < start + 4) return;
      const end = start + rest.readUInt32BE(start);
      if (rest.length < end) return;
      const following = rest.length - end;
      if (isStarted) readMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(start + 4, end), following);
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
