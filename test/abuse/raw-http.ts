import type { Socket } from "bun";

/** The deadline of each wait. It is much longer than the server's own deadlines, even on a busy machine. */
const DEADLINE_MS = 60_000;

export interface RawConnection {
  readonly socket: Socket;
  /** Returns everything received so far, with one character for each byte. */
  received(): string;
  /** Resolves when the socket can send more bytes. */
  drained(): Promise<void>;
  /** Resolves when this many responses have begun to arrive, or when the connection is closed. */
  answered(count: number): Promise<void>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
}

/**
 * Opens a connection and sends exactly these bytes. For an `https` address it uses TLS, without checking the certificate. Each wait
 * fails after 60 seconds.
 */
export async function openRawConnection(address: string, bytes: string | Uint8Array): Promise<RawConnection> {
  const { protocol, hostname, port } = new URL(address);
  let received = "";
  let isClosed = false;
  let wake = (): void => {};
  let wakeWriter = (): void => {};
  const secured = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    ...(protocol === "https:" && { tls: { rejectUnauthorized: false, serverName: hostname } }),
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
        wake();
      },
      close() {
        isClosed = true;
        close();
        wake();
      },
      drain: () => wakeWriter(),
      handshake: () => secured.resolve(),
      error() {},
    },
  });
  if (protocol === "https:") await secured.promise;
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return {
    socket,
    received: () => received,
    drained: () =>
      inTime(
        new Promise((resolve) => {
          wakeWriter = resolve;
        }),
      ),
    answered: (count) =>
      inTime(
        new Promise((resolve) => {
          wake = () => {
            if (isClosed || statusesOf(received).length >= count) resolve();
          };
          wake();
        }),
      ),
    get closed() {
      return inTime(closed);
    },
  };
}

/** Returns the statuses of all responses in the received text, in order. */
export function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`nothing within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
