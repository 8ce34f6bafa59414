import { afterEach, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../until.ts";
import { serveOnTerminal } from "../wire/on-terminal.ts";
import { send } from "../wire/send.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openRawConnection } from "./raw-http.ts";

// Tests a service whose log goes to a pipe that nobody reads any more. After 64 kB, the pipe blocks.

/** With this many requests, the log has more lines than the pipe and the service's queue can hold. */
const REQUESTS = 8_000;
const AT_ONCE = 200;

let kill = (): void => {};
afterEach(() => kill());

async function startWithoutReader() {
  const fifo = join(await mkdtemp(join(tmpdir(), "petstore-")), "log");
  expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
  // The named pipe is opened for reading and writing, because opening only one end would wait until the other end is opened.
  const output = openSync(fifo, "r+");
  return { fifo, output, ...(await startWith(fifo)) };
}

async function startWith(log: string) {
  const service = await serveOnTerminal(await freshEmbeddedStore(), {
    shell: 'exec "$@" > "$LOG"',
    env: { LOG: log },
  });
  kill = service.kill;
  return { service, production: service.address("production"), metrics: service.address("metrics") };
}

async function sendMany(address: string): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const connection = await openRawConnection(
      address,
      "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(AT_ONCE),
    );
    await connection.answered(AT_ONCE);
    connection.socket.terminate();
  }
}

async function droppedLines(address: string): Promise<number> {
  const { body } = await send("GET", address);
  return Number(/^petstore_log_lines_dropped_total (\d+)$/m.exec(body)?.[1]);
}

test("a service whose log nobody reads keeps running, counts the dropped lines and stops on SIGTERM", async () => {
  const { service, output, production, metrics } = await startWithoutReader();
  await sendMany(production);
  await until(async () => (await droppedLines(metrics)) > 0);
  expect((await send("GET", production.replace("/v1", "/readyz"))).status).toBe(200);
  expect(await service.stop()).toBe(0);
  closeSync(output);
});

test("a service whose log is on a full disk keeps running and stops on SIGTERM", async () => {
  const { service, production, metrics } = await startWith("/dev/full");
  expect((await send("GET", production.replace("/v1", "/readyz"))).status).toBe(200);
  await until(async () => (await droppedLines(metrics)) > 0);
  expect(await service.stop()).toBe(0);
});

test("once the log is read again, one line says how many were dropped and every other line is complete", async () => {
  const { service, fifo, output, production, metrics } = await startWithoutReader();
  await sendMany(production);
  await until(async () => (await droppedLines(metrics)) > 0);
  const reader = Bun.spawn(["cat", fifo], { stdout: "pipe" });
  let text = "";
  const reading = (async () => {
    for await (const chunk of reader.stdout) text += new TextDecoder().decode(chunk);
  })();
  await until(() => text.includes("were dropped"));
  const dropped = await droppedLines(metrics);
  expect(await service.stop()).toBe(0);
  closeSync(output);
  await reading;
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const said = lines.filter(({ msg }) => msg.includes("were dropped")).map((line) => line.lines);
  expect(said).toEqual([dropped]);
  // Counts only the log lines about requests, and not those about startup and shutdown.
  const requests = lines.filter(({ msg }) => msg === "request").length;
  expect(requests + dropped).toBeGreaterThanOrEqual(REQUESTS);
  expect(lines.at(-1).msg).toBe("stopped");
});
