import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { literally, playInOneShell } from "../repository/terminal.ts";
import { petstore } from "../wire/process.ts";
import { makeDocuments, type Server, useStore } from "../wire/server.ts";
import { linesOf, page, transcript, transcriptsOf } from "./command-line-page.ts";
import { petstoreOnPath } from "./petstore-on-path.ts";

// docs/guides/command-line.md and transcript.md must show exactly what the commands print.

describe.each([
  ["docs/guides/command-line.md", page, { steps: 9, lines: 2 }],
  ["transcript.md", transcript, { steps: 50, lines: 30 }],
] as const)("%s", (_, text, least) => {
  const server = useStore();

  test("shows the real output in its transcripts, and its other commands succeed", async () => {
    const home = await freshHome();
    await makeDocuments(server);
    const steps = transcriptsOf(text);
    expect(steps.length).toBeGreaterThanOrEqual(least.steps);
    const printed = await runInOneShell(
      server,
      steps.map(({ command }) => command),
      home,
      { PETSTORE_URL: server.production },
    );
    for (const [index, { command, output }] of steps.entries())
      expect([command, printed[index] ?? ""]).toEqual([
        command,
        expect.stringMatching(asPattern(server, output, home)),
      ]);

    const lines = linesOf(text).filter((line) => !NOT_RUN.test(line));
    expect(lines.length).toBeGreaterThanOrEqual(least.lines);
    const values = await valuesOf(server, home);
    const codes = await runInOneShell(
      server,
      lines.map(
        (line) => `{ ${replaced(line, values)}; } < passphrase.txt > result 2>&1; echo $?; cat result`,
      ),
      home,
      {},
    );
    for (const [index, line] of lines.entries())
      expect([line, codes[index]]).toEqual([line, expect.stringMatching(/^0\b/)]);
  });
});

/**
 * Documented command lines that this test does not run. Some need a remote store that does not exist, or a shell that does not come
 * with npm. Commands that run until they are stopped, and commands that need PostgreSQL, are tested in
 * test/repository/commands.test.ts. Commands that are refused while the service runs are tested in test/wire/doctor.test.ts.
 */
const NOT_RUN =
  /pets\.example|petstore serve|--follow|petstore listen|petstore copy|--accept-loss|fish \| source/;

/** Creates a home folder that contains the command `petstore` and all files that the documented commands read. */
async function freshHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "petstore-home-"));
  await mkdir(join(home, ".zfunc"));
  petstoreOnPath(home);
  await writeFile(join(home, "animals.jsonl"), '{"name":"Barbara","categoryId":1}\n');
  await writeFile(join(home, "note.txt"), "Hello");
  await writeFile(join(home, "passphrase.txt"), "a passphrase of some length\n");
  return home;
}

/** Returns the placeholders in the documents, with their values in this test run. */
async function valuesOf(
  { store, ...server }: Server,
  home: string,
): Promise<readonly (readonly [documented: string, here: string])[]> {
  const key = await petstore(store, ["keys", "create", "--environment", "staging", "--json"]);
  const message = await petstore(store, ["messages", "send", "Hi", "--json"], {
    env: { HOME: home, PETSTORE_URL: server.production, PETSTORE_MESSAGES_URL: server.messages },
  });
  return [
    ["http://localhost:8081/v1", server.staging],
    ["key_Zp0aB1cD2eF3gH4i", JSON.parse(key.out).id],
    ["msg_4aYQwJdbBo8sV0rzP2fLxM", JSON.parse(message.out).id],
    ["/var/lib/petstore", `${home}/elsewhere`],
  ];
}

function replaced(line: string, values: readonly (readonly [documented: string, here: string])[]): string {
  return values.reduce((text, [documented, here]) => text.replaceAll(documented, here), line);
}

/** Runs all documented command lines in one shell with this home folder, and returns the output of each line. */
function runInOneShell(
  server: Server,
  lines: readonly string[],
  home: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  return playInOneShell(lines, home, {
    ...server.store.settings,
    PATH: `${home}/bin:${process.env["PATH"]}`,
    HOME: home,
    PETSTORE_MESSAGES_URL: server.messages,
    PETSTORE_PRODUCTION_PORT: new URL(server.production).port,
    PETSTORE_STAGING_PORT: new URL(server.staging).port,
    PETSTORE_MESSAGES_PORT: new URL(server.messages).port,
    PETSTORE_METRICS_PORT: new URL(server.metrics).port,
    ...settings,
  });
}

/**
 * Turns the documented output of a command into a pattern. An ellipsis matches text that varies, and the documented values are
 * replaced with those of this run.
 */
function asPattern(server: Server, text: string, home: string): RegExp {
  const here = text
    .replaceAll("http://localhost:8080/v1", server.production)
    .replaceAll("http://localhost:8082", server.messages)
    .replaceAll("/home/ada", home);
  return new RegExp(`^${here.split("…").map(literally).join(".+")}$`);
}
