// Hostile clients in a separate process. Receives a port and a key by IPC; sends `ready` when all are connected, and a
// report when the slow ones have been cut off.
import type { Socket } from "bun";

export interface HostileLoad {
  readonly port: number;
  readonly key: string;
  readonly idle: number;
  readonly slow: number;
}

/** End of a slow connection: the status of its response, if any, and the milliseconds until then. */
interface Ending {
  readonly status: number | undefined;
  readonly milliseconds: number;
}

export interface HostileReport {
  readonly slowHeads: readonly Ending[];
  readonly slowBodies: readonly Ending[];
  /** Connections still open that sent one request, then nothing. */
  readonly idleOpen: number;
  readonly aborted: number;
}

const DRIP_MS = 250;

process.on("message", (order: HostileLoad) => void startHostileClients(order));

async function startHostileClients({ port, key, idle, slow }: HostileLoad): Promise<void> {
  const known = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
  const head = `POST /v1/pets HTTP/1.1\r\n${known}Content-Type: application/json\r\n`;
  let idleOpen = 0;
  for (let count = 0; count < idle; count++) {
    const { socket } = await open(port, () => void idleOpen--);
    // The runtime cuts off a connection that sends nothing for about 10 seconds.
    socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    idleOpen++;
  }
  await Promise.all(Array.from({ length: 20 }, () => sendWithoutReading(port)));
  const slowHeads = drip(port, slow, "", `GET /v1/pets HTTP/1.1\r\n${known}X: ${"a".repeat(1_000)}`);
  const slowBodies = drip(port, slow, `${head}Content-Length: 1000\r\n\r\n`, " ".repeat(1_000));
  let isOver = false;
  let aborted = 0;
  async function keepAborting(): Promise<void> {
    for (; !isOver; aborted++) {
      const { socket } = await open(port);
      socket.write(`${head}Content-Length: 60000\r\n\r\n${"a".repeat(30_000)}`);
      await Bun.sleep(5);
      socket.terminate();
    }
  }
  const aborting = keepAborting();
  process.send?.("ready");
  const endings = { slowHeads: await slowHeads, slowBodies: await slowBodies };
  isOver = true;
  await aborting;
  process.send?.({ ...endings, idleOpen, aborted } satisfies HostileReport);
}

async function open(
  port: number,
  onClose = (): void => {},
): Promise<{ socket: Socket; received: () => string }> {
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
      },
      close: onClose,
      error() {},
    },
  });
  return { socket, received: () => received };
}

/** Sends 1,000 requests and reads no response, so that they stay in the server's buffers. */
async function sendWithoutReading(port: number): Promise<void> {
  const { socket } = await open(port);
  socket.pause();
  socket.write("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_000));
}

/** `count` connections that send `first` at once and `rest` a byte at a time, until they are cut off. */
function drip(port: number, count: number, first: string, rest: string): Promise<readonly Ending[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const startedAt = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      const { socket, received } = await open(port, resolve);
      socket.write(first);
      let sent = 0;
      const dripping = setInterval(() => socket.write(rest[sent++] ?? ""), DRIP_MS);
      await promise;
      clearInterval(dripping);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received())?.[1];
      return { status: status && Number(status), milliseconds: performance.now() - startedAt } as Ending;
    }),
  );
}
