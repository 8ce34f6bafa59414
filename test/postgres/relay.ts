import type { Socket } from "bun";

/** A proxy for PostgreSQL that records the statements, and can hold back responses. */
export interface Relay {
  readonly url: string;
  /** Executed statements, in order of arrival. */
  readonly statements: string[];
  /** Number of open connections. */
  connections(): number;
  /** True while the server has not answered everything that a client has sent. */
  isBusy(): boolean;
  /** From now on, holds back responses on connections whose latest statement matches. */
  hold(latest?: RegExp): Hold;
  stop(): void;
}

interface Hold {
  /** Resolves when the first response is held back. */
  readonly held: Promise<void>;
  release(): void;
}

interface Side {
  readonly server: Promise<Socket>;
  /** Parses the client's messages to the server. */
  readonly read: (bytes: Buffer) => void;
  /** Parses the server's responses. */
  readonly readAnswer: (bytes: Buffer) => void;
  latest: string;
  /** Number of requests that the server has not answered yet: its start, and each Sync or Query. */
  unanswered: number;
}

export function startRelay(url: string): Relay {
  const { hostname, port } = new URL(url);
  const statements: string[] = [];
  const holds = new Set<(client: Socket<Side>, send: () => void) => boolean>();
  const clients = new Set<Socket<Side>>();

  function answer(client: Socket<Side>, bytes: Buffer): void {
    const copy = Buffer.from(bytes);
    client.data.readAnswer(copy);
    const send = () => void client.write(copy);
    if (![...holds].some((take) => take(client, send))) send();
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
          client.data.latest = sql;
        });
        const read = createReader(false, (type, body) => {
          if (type === "S" || type === "Q") client.data.unanswered++;
          note(type, body);
        });
        const readAnswer = createReader(true, (type) => {
          if (type === "Z") client.data.unanswered--;
        });
        client.data = { server, read, readAnswer, latest: "", unanswered: 1 };
      },
      data({ data }, bytes) {
        const copy = Buffer.from(bytes);
        data.read(copy);
        void data.server.then((server) => server.write(copy));
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
    isBusy: () => [...clients].some(({ data }) => data.unanswered > 0),
    hold(latest = /(?:)/) {
      const first = Promise.withResolvers<void>();
      const heldClients = new Set<Socket<Side>>();
      const answers: (() => void)[] = [];
      const take = (client: Socket<Side>, send: () => void) => {
        if (!heldClients.has(client) && !latest.test(client.data.latest)) return false;
        // All later responses on the connection are held back too, which keeps their order.
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
    stop: () => listener.stop(true),
  };
}

type ReadMessage = (type: string, body: Buffer) => void;

/** Notes a client's statements: Parse names a statement, Bind or Query executes one. */
function createNoter(onStatement: (sql: string) => void): ReadMessage {
  const prepared = new Map<string, string>();
  return (type, body) => {
    const [one = "", two = ""] = body.toString("latin1").split("\0");
    if (type === "P") prepared.set(one, two);
    if (type === "B") onStatement(prepared.get(two) ?? "");
    if (type === "Q") onStatement(one);
  };
}

/** Parses messages (PostgreSQL, "Message Formats"). @param isStarted false for a client, whose first message has no type byte */
function createReader(isStarted: boolean, readMessage: ReadMessage): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (rest.length < start + 4) return;
      const end = start + rest.readUInt32BE(start);
      if (rest.length < end) return;
      if (isStarted) readMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(start + 4, end));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
