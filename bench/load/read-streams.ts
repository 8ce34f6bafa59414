// Opens event streams on the server at the given port. Each of the given API keys gets as many streams as it may have.
import { KEY_SHARES } from "../../src/http/key-shares.ts";

const [port, ...keys] = process.argv.slice(2);
for (const key of keys.flatMap((one) => Array<string>(KEY_SHARES.streams[0]).fill(one))) {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const lines = [`Host: 127.0.0.1:${port}`, "Accept: text/event-stream", `Authorization: Bearer ${key}`];
  const socket = {
    open: (to: Bun.Socket) => void to.write(`GET /v1/events HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
    data: (_from: Bun.Socket, chunk: Buffer) => void (chunk.includes("HTTP/1.1 200") && resolve()),
    close: () => process.exit(1),
  };
  await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket });
  await opened;
}
process.stdout.write("ready\n");
