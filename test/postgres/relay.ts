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
  /** Cuts the next execution of a matching statement in two. The second part waits, as when the network fails between them. */
  interrupt(statement: RegExp): { proceed(): void };
  stop(): void;
}

interface Interruption {
  readonly statement: RegExp;
  readonly over: Promise<void>;
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
  /** Resolves once the server may have what the client sends next. */
  gate: Promise<void>;
  /** The connection's interruption, and how many bytes of its segment follow the interrupted message. */
  interrupted?: { readonly over: Promise<void>; readonly following: number };
}

export function startRelay(url: string): Relay {
  const { hostname, port } = new URL(url);
  const statements: string[] = [];
  const holds = new Set<(client: Socket<Side>, send: () => void) => boolean>();
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
        const read = createReader(false, (type, body, following) => {
          if (type === "S" || type === "Q") client.data.unanswered++;
          note(type, body, following);
          if (type !== "B" || !interruption?.statement.test(client.data.latest)) return;
          client.data.interrupted = { over: interruption.over, following };
          interruption = undefined;
        });
        const readAnswer = createReader(true, (type) => {
          if (type === "Z") client.data.unanswered--;
        });
        const gate = Promise.resolve();
        client.data = { server, read, readAnswer, latest: "", unanswered: 1, gate };
      },
      data(client, bytes) {
        const copy = Buffer.from(bytes);
        const before = client.data.interrupted;
        client.data.read(copy);
        const { interrupted } = client.data;
        if (interrupted === before || interrupted === undefined) return forward(client, copy);
        const end = copy.length - interrupted.following;
        forward(client, copy.subarray(0, end));
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
    interrupt(statement) {
      const { promise: over, resolve: proceed } = Promise.withResolvers<void>();
      interruption = { statement, over };
      return { proceed };
    },
    stop: () => listener.stop(true),
  };
}

/** @param following number of bytes that have arrived after the message */
type ReadMessage = (type: string, body: Buffer, following: number) => void;

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
      const following = rest.length - end;
      if (isStarted) readMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(start + 4, end), following);
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
