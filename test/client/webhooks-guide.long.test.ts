import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../postgres/server.ts";
import { blocksOf, PROJECT } from "../repository/documents.ts";
import { openTerminal, type Terminal } from "../repository/terminal.ts";
import { until } from "../until.ts";
import { followLog } from "../wire/process.ts";
import { type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Follows docs/guides/webhooks.md as a newcomer would. Each code block runs in its own terminal, one after another.

const PAGE = "docs/guides/webhooks.md";
/** Matches commands that run until they are stopped. */
const LASTING = /receiver\.py$|^petstore listen /m;
/** The guide's command that starts the service. It is not run, because the test has started its own service. */
const SERVICE = "petstore serve --webhooks-private allow\n";

let server: Server;
let terminal: Terminal;
let port: number;
const running: ReturnType<typeof openShell>[] = [];
beforeAll(async () => {
  server = await startServer({
    store: await freshEmbeddedStore(),
    env: { PETSTORE_WEBHOOKS_PRIVATE: "allow" },
  });
  terminal = await openTerminal(server);
  port = freePort();
  const [receiver = ""] = await blocksOf(PAGE, "python");
  await Bun.write(join(terminal.folder, "receiver.py"), localized(receiver));
});
afterAll(async () => {
  await stopAll();
  await server.stop();
});

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((shell) => shell.stop()));
}

/**
 * Replaces the addresses in a text with those of this service. If `--max-time` ends an event stream, curl exits with code 28, which
 * is not treated as a failure.
 */
function localized(text: string): string {
  return text
    .replaceAll("4000", String(port))
    .replaceAll("http://localhost:8080/v1", server.production)
    .replaceAll("curl ", "curl --silent --show-error --fail-with-body ")
    .replaceAll(/^curl .*--max-time.*$/gm, "$& || [ $? = 28 ]");
}

/** Runs lines of the guide in a shell. `output` is what they have printed so far. */
function openShell(lines: string) {
  // With `exec`, signals reach the command itself and not the shell.
  const script = localized(lines)
    .replace(/^petstore(?= listen )/m, "exec petstore")
    .replace(/^(?=WEBHOOK_SECRET=)/m, "exec env ")
    .replace(/^(?=python3 )/m, "exec ");
  const child = Bun.spawn(["bash", "-e", "-c", script], {
    cwd: terminal.folder,
    // Sets the address of staging for commands that mention staging.
    env: {
      ...terminal.environment,
      PETSTORE_URL: lines.includes("staging") ? server.staging : server.production,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const log = followLog(child.stdout);
  return {
    output: log.text,
    async ended(): Promise<number> {
      await log.ended;
      return child.exited;
    },
    stop() {
      child.kill();
      return child.exited;
    },
  };
}

async function isListening(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "" }).then(Boolean, () => false);
}

test("every block works, and the receiver prints what the page says", async () => {
  const page = await Bun.file(PROJECT + PAGE).text();
  const parts = page.split(/^(?=```sh$)/m).slice(1);
  let receiver: ReturnType<typeof openShell> | undefined;
  let exports = "";
  for (const part of parts) {
    const block = /^```sh\n([\s\S]*?)^```$/m.exec(part)?.[1] ?? "";
    if (block === SERVICE) continue;
    if (block.includes("receiver.py")) {
      await stopAll();
      receiver = openShell(block);
      running.push(receiver);
      await until(isListening);
    } else if (LASTING.test(block)) running.push(openShell(block));
    else {
      // If a code block does not set a key, it continues in the terminal of the previous block.
      if (block.includes("export ")) exports = `${/^export .*$/m.exec(block)?.[0]}\n`;
      const code = await openShell(block.startsWith("export ") ? block : exports + block).ended();
      expect([block, code]).toEqual([block, 0]);
    }
    const [told = ""] = /^The receiver prints.*$/m.exec(part) ?? [];
    for (const [, printed = ""] of told.matchAll(/`(evt_[^`]+)`/g))
      await until(() => receiver?.output().split("\n").includes(printed) === true);
  }
});
