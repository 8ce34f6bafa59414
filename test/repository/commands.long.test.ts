import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { emptyDatabaseUrl } from "../postgres/database.ts";
import { freePort } from "../postgres/server.ts";
import { followLog, petstore } from "../wire/process.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { commandsOfDocuments, RUN_ELSEWHERE } from "./documents.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const commands = await commandsOfDocuments();

describe("commands of petstore, run in the order of the document", () => {
  let server: Server;
  let terminal: Terminal;
  /** The ports of the service, which it also has when it is started again. */
  const ownPorts = Object.fromEntries(
    ["PRODUCTION", "STAGING", "MESSAGES", "METRICS"].map((name) => [
      `PETSTORE_${name}_PORT`,
      String(freePort()),
    ]),
  );
  beforeEach(async () => {
    server = await startServer({ store: await freshEmbeddedStore(), env: ownPorts });
    terminal = await openTerminal(server);
  });
  afterEach(() => server.stop());

  for (const { path, lines } of commands) {
    const ours = lines.filter((line) => line.startsWith("petstore "));
    if (ours.length === 0 || path in RUN_ELSEWHERE) continue;
    test(path, async () => {
      const { out } = await petstore(server.store, ["keys", "create", "--environment", "staging", "--json"]);
      const values: readonly (readonly [documented: string, here: string])[] = [
        ["key_…", JSON.parse(out).id],
        ["./data ", `${server.store.dataDir} `],
        ["sqlite:./data", `sqlite:${server.store.dataDir}`],
        ["/backups", terminal.folder],
        ["/var/lib/petstore", join(terminal.folder, "var")],
        ["$(date +%F)", "2026-11-21"],
        ...(await Promise.all(
          [...ours.join("\n").matchAll(/postgres:\/\/[^\s']+/g)].map(
            async ([address]) => [address, await emptyDatabaseUrl()] as const,
          ),
        )),
      ];
      for (const line of ours) {
        const command = values.reduce((text, [documented, here]) => text.replaceAll(documented, here), line);
        const needsStop = /petstore serve|--replace|--accept-loss/.test(line);
        if (needsStop) await server.stop();
        expect([line, await run(command)]).toEqual([line, 0]);
        if (needsStop) server = await startServer({ store: server.store, env: ownPorts });
      }
    });
  }

  /** Runs a command from a document, and returns its exit code. If the command is a service, it gets SIGTERM once it listens. */
  async function run(command: string): Promise<number> {
    const isService = / serve\b/.test(command);
    // A command that starts a service gets free ports. Any other command gets the ports of the service that is already running.
    const ports = Object.keys(terminal.environment)
      .filter((name) => isService && name.endsWith("_PORT"))
      .map((name) => [name, "0"]);
    const isRemote = /^petstore (pets|categories) /.test(command);
    const child = Bun.spawn(["bash", "-c", `exec ${command}`], {
      cwd: terminal.folder,
      env: {
        ...terminal.environment,
        ...Object.fromEntries(ports),
        PETSTORE_LOG: "info",
        ...(isRemote && { PETSTORE_KEY: await makeKey(server.store) }),
      },
      stdin: new Blob(["a passphrase of some length\n"]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const log = followLog(child.stdout);
    const errors = new Response(child.stderr).text();
    if (isService) {
      await log.until((text) => text.includes('"listening"') || undefined);
      // The signal is sent only once, because a second SIGTERM ends a service that is stopping at once, with exit code 1.
      child.kill("SIGTERM");
    }
    await Promise.all([log.ended, errors]);
    return child.exited;
  }
});
