import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";
import { callsIn, everyCommand, parse } from "./commands.ts";

// docs/command-line.md: it names every command, its lines are understood, and its transcripts are what happens.

setDefaultTimeout(60_000);

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;
const page = await Bun.file(new URL("../../docs/command-line.md", import.meta.url)).text();

let server: Server;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
});
afterAll(() => server.stop());

describe("docs/command-line.md", () => {
  for (const { path, command } of everyCommand()) {
    if (command.commands.length > 0) continue;
    test(`has a section for ${path}, with a line that calls it`, async () => {
      const section = page.split(`\n### ${path}\n`)[1]?.split("\n#")[0] ?? "";
      const called = await Promise.all(callsOf(section).map(parse));
      expect(called).toContain(path);
    });
  }

  test("every line that calls petstore is understood", async () => {
    const calls = callsOf(page);
    expect(calls.length).toBeGreaterThan(50);
    for (const words of calls)
      expect([words, await parse(words)]).toEqual([words, expect.stringMatching(/^petstore /)]);
  });

  test("its transcripts print what they say, line by line", async () => {
    const steps = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
      block
        .split(/^\$ /m)
        .slice(1)
        .map((step) => {
          const [command = "", ...output] = step.trimEnd().split("\n");
          return { command, output: output.join("\n") };
        }),
    );
    expect(steps.length).toBeGreaterThan(25);
    const home = freshHome();
    const printed = await runInOneShell(
      steps.map(({ command }) => command),
      home,
    );
    for (const [index, { command, output }] of steps.entries())
      expect([command, printed[index] ?? ""]).toEqual([
        command,
        expect.stringMatching(asPattern(output, home)),
      ]);
  });
});

/** What the fenced lines of a text call `petstore` with. */
function callsOf(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/```(?:console|sh)\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block
      .split("\n")
      .filter((line) => line.startsWith("$ ") || /^(petstore|export|eval) /.test(line))
      .map((line) => line.replace(/\s#.*$/, ""))
      .flatMap(callsIn),
  );
}

/** A home with a `petstore` to call. */
function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), "petstore-home-"));
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/petstore"), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(join(home, "bin/petstore"), 0o755);
  return home;
}

/** Runs these lines one after the other, as a reader would; resolves with what each of them printed. */
async function runInOneShell(lines: readonly string[], home: string): Promise<readonly string[]> {
  const script = lines.map((line) => `echo '#mark'; { ${line}; } 2>&1`).join("\n");
  const shell = Bun.spawn(["bash", "-c", script], {
    cwd: home,
    env: {
      ...server.store.settings,
      PATH: `${home}/bin:${process.env["PATH"]}`,
      HOME: home,
      PETSTORE_URL: server.production,
      PETSTORE_MESSAGES_URL: server.messages,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(shell.stdout).text();
  return printed
    .split("#mark\n")
    .slice(1)
    .map((text) => text.trimEnd());
}

/** The page's text, with an ellipsis for what is different every time, and its places for those of this run. */
function asPattern(text: string, home: string): RegExp {
  const here = text.replaceAll("http://localhost:8080/v1", server.production).replaceAll("/home/ada", home);
  return new RegExp(`^${here.split("…").map(literally).join(".+")}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ {2,}/g, " +");
}
