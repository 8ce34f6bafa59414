import { afterAll, beforeAll, expect, test } from "bun:test";
import { send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { blocksOf, PROJECT } from "./documents.ts";
import { openTerminal, stepsOf } from "./terminal.ts";

// docs/guides/command-line.md says that Ctrl-C does no harm to an import.

let server: Server;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
});
afterAll(() => server.stop());

test("the guide's ten thousand animals, interrupted with Ctrl-C and begun again, are each there once and come out as they went in", async () => {
  const blocks = await blocksOf("docs/guides/command-line.md", "console");
  const commands = blocks.flatMap(stepsOf).map(({ command }) => command);
  const from = commands.findIndex((command) => command.includes("| petstore login"));
  const importing = commands.findIndex((command) => command.startsWith("petstore pets import"));
  const comparing = commands.findIndex((command) => command.endsWith("&& echo equal"));
  const terminal = await openTerminal(server);
  const key = await makeKey(server.store);
  await terminal.play(commands.slice(from, importing));

  const [, ...words] = commands[importing]?.split(" ") ?? [];
  const interrupted = Bun.spawn(["node", `${PROJECT}bin/petstore.js`, ...words], {
    cwd: terminal.folder,
    env: terminal.environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  while (interrupted.exitCode === null && (await newestId(key)) < 500) await Bun.sleep(5);
  interrupted.kill("SIGINT");
  expect(await interrupted.exited).toBe(130);
  expect(await newestId(key)).toBeLessThan(10_000);

  const printed = await terminal.play(commands.slice(importing, comparing + 1));
  expect(printed[0]).toMatch(
    /^Added [\d,]+ animals from fish\.csv\. [\d,]+ were already imported by an earlier run\.$/,
  );
  expect(printed.at(-1)).toBe("equal");
  expect(await newestId(key)).toBe(10_000);
}, 600_000);

async function newestId(key: string): Promise<number> {
  const page = await send("GET", `${server.production}/pets?limit=1`, { key });
  return JSON.parse(page.body)[0]?.id ?? 0;
}
