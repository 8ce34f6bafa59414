import type { Socket } from "bun";

/** A proxy for PostgreSQL that records the statements, and can hold back the answers. */
export interface Relay {
  readonly url: string;
  /** Executed statements, in order of arrival. */
  readonly statements: string[];
  /** Number of open connections. */
  connections(): number;
  /** Holds back answers, from now on, on connections whose latest statement matches. */
  hold(latest?: RegExp): Hold;
  stop(): void;
}

interface Hold {
  /** Resolves when the first answer is held back. */
  readonly held: Promise<void>;
  release(): void;
}

interface Side {
  readonly server: Promise<Socket>;
  /** Parses the client's messages to the server. */
  readonly read: (bytes: Buffer) => void;
  latest: string;
}

export function startRelay(url: string): Relay {
  const { hostname, port } = new URL(url);
  const statements: string[] = [];
  const holds = new Set<(client: Socket<Side>, send: () => void) => boolean>();
  let connections = 0;

  function answer(client: Socket<Side>, bytes: Buffer): void {
    const copy = Buffer.from(bytes);
    const send = () => void client.write(copy);
    if (![...holds].some((take) => take(client, send))) send();
  }

  const listener = Bun.listen<Side>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        connections++;
        const server = Bun.connect({
          hostname,
          port: Number(port),
          socket: { data: (_server, bytes) => answer(client, bytes), close: () => void client.end() },
        });
        const read = createReader((sql) => {
          statements.push(sql);
          client.data.latest = sql;
        });
        client.data = { server, read, latest: "" };
      },
      data({ data }, bytes) {
        const copy = Buffer.from(bytes);
        data.read(copy);
        void data.server.then((server) => server.write(copy));
      },
      close({ data }) {
        connections--;
        void data.server.then((server) => server.end());
      },
    },
  });

  const address = new URL(url);
  address.port = String(listener.port);
  return {
    url: address.href,
    statements,
    connections: () => connections,
    hold(latest = /(?:)/) {
      const first = Promise.withResolvers<void>();
      const clients = new Set<Socket<Side>>();
      const answers: (() => void)[] = [];
      const take = (client: Socket<Side>, send: () => void) => {
        if (!clients.has(client) && !latest.test(client.data.latest)) return false;
        // All later answers of the connection are held back too, which keeps their order.
        clients.add(client);
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

/** Parses a client's messages (PostgreSQL, "Message Formats"): Parse names a statement, Bind or Query executes one. */
function createReader(onStatement: (sql: string) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;

  function readMessage(type: string, body: Buffer): void {
    const [one = "", two = ""] = body.toString("latin1").split("\0");
    if (type === "P") prepared.set(one, two);
    if (type === "B") onStatement(prepared.get(two) ?? "");
    if (type === "Q") onStatement(one);
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The startup message has no type byte.
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
