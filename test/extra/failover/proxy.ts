import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy on this machine, which can be redirected to another server. */
export interface Proxy {
  readonly port: number;
  /** Closes all existing connections, and forwards new ones to this port. By default, the host stays the same. */
  lead(port: number, host?: string): void;
  /** Stops forwarding data until `lead` is called again. Connections stay open. */
  cut(): void;
  /** Silently drops the data of open connections. New connections are forwarded. */
  silence(): void;
  close(): void;
}

export async function startProxy(target: number, targetHost = "127.0.0.1"): Promise<Proxy> {
  let port = target;
  let host = targetHost;
  let isCut = false;
  const sockets = new Set<Socket>();

  function add(socket: Socket): Socket {
    sockets.add(socket);
    // Errors are ignored here, because each error is followed by `close`.
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  }
  function end(): void {
    for (const socket of sockets) socket.destroy();
  }
  const server = createServer({ noDelay: true }, (client) => {
    add(client);
    if (isCut) return void client.pause();
    const upstream = add(connect({ port, host, noDelay: true }));
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");

  return {
    port: address.port,
    lead(next, nextHost = host) {
      port = next;
      host = nextHost;
      isCut = false;
      end();
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    silence() {
      for (const socket of sockets) socket.unpipe().pause().removeAllListeners("close");
    },
    close() {
      end();
      server.close();
    },
  };
}
