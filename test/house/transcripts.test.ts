import { afterEach, describe, expect, test } from "bun:test";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";
import { blocksOf, documents, PROJECT } from "./documents.ts";

// What a document shows of a terminal (```console) is what a terminal shows, line by line.

interface Step {
  readonly command: string;
  readonly output: string;
}

let server: Server;
afterEach(() => server.stop());

const transcripts = await Promise.all(
  documents.map(async (path) => ({ path, blocks: await blocksOf(path, "console") })),
);

describe("every transcript prints what it says", () => {
  for (const { path, blocks } of transcripts) {
    for (const [index, block] of blocks.entries())
      test(`${path}, ${index + 1}`, () => playTranscript(block), 60_000);
  }
});

async function playTranscript(block: string): Promise<void> {
  server = await startServer({ store: await freshEmbeddedStore() });
  const steps = stepsOf(block);
  expect(steps.length).toBeGreaterThan(0);
  // One shell, as a reader has one; a mark between the steps tells their output apart.
  const script = steps.map(({ command }) => `echo '#mark'; { ${quiet(command)}; } 2>&1`).join("\n");
  const shell = Bun.spawn(["bash", "-c", script], {
    cwd: PROJECT,
    env: { ...process.env, ...server.store.settings, npm_config_loglevel: "silent", NO_UPDATE_NOTIFIER: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const out = await new Response(shell.stdout).text();
  const printed = out
    .split("#mark\n")
    .slice(1)
    .map((text) => text.trim());
  for (const [index, { command, output }] of steps.entries())
    expect([command, printed[index]]).toEqual([command, expect.stringMatching(asPattern(output))]);
}

function stepsOf(block: string): readonly Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    });
}

/** The documents' own addresses stand for those of this server; curl's progress is for terminals. */
function quiet(command: string): string {
  return command
    .replaceAll("http://localhost:8080/v1", server.production)
    .replaceAll("http://localhost:8081/v1", server.staging)
    .replaceAll("http://localhost:8082", server.messages)
    .replaceAll("http://localhost:8090/metrics", server.operations)
    .replaceAll(/\bcurl /g, "curl -s ");
}

/** The document's text, with an ellipsis for what is different every time. */
function asPattern(text: string): RegExp {
  return new RegExp(`^${text.split("…").map(literally).join("\\w+")}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
