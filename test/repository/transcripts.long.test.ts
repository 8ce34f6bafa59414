import { afterEach, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { readDocuments } from "../../scripts/check/source.ts";
import { type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { PROJECT, RUN_ELSEWHERE } from "./documents.ts";
import { asPattern, openTerminal, stepsIn } from "./terminal.ts";

// Transcripts in documents (```console), and responses that follow a command (```sh, ```json), must equal the real output line by
// line. Programs that a document shows, and Python examples that it links to, can be run under their names.

let server: Server;
afterEach(() => server.stop());

const transcripts = (await readDocuments()).map(({ path, text }) => ({
  path,
  steps: stepsIn(text),
  programs: programsIn(text),
  examples: new Set(text.match(/(?<=\]\(\.\.\/\.\.\/)examples\/\w+\.py(?=\))/g)),
}));

describe("every transcript shows the real output", () => {
  for (const { path, steps, programs, examples } of transcripts.filter(
    ({ path, steps }) => steps.some(({ output }) => output !== undefined) && !(path in RUN_ELSEWHERE),
  )) {
    test(path, async () => {
      server = await startServer({ store: await freshEmbeddedStore() });
      const terminal = await openTerminal(server);
      for (const example of examples)
        await cp(join(PROJECT, example), join(terminal.folder, basename(example)));
      for (const { name, source } of programs)
        await Bun.write(join(terminal.folder, name), withAddress(terminal.localized(source)));
      const printed = await terminal.play(steps.map(({ command }) => command));
      for (const [index, { command, output }] of steps.entries())
        if (output !== undefined)
          expect([command, printed[index]]).toEqual([command, expect.stringMatching(asPattern(output))]);
    });
  }
});

/** Returns the programs that a document shows, each with its file name, which precedes the code block. */
function programsIn(text: string): readonly { readonly name: string; readonly source: string }[] {
  const shown = text.matchAll(/`([\w-]+\.(?:mjs|py))`[^`]*```(?:js|python)\n([\s\S]*?)^```$/gm);
  return [...shown].map(([, name = "", source = ""]) => ({ name, source }));
}

/** Adds the address of staging to a program whose client would otherwise derive the address from the API key. */
function withAddress(program: string): string {
  const settings = `{ key: process.env.PETSTORE_KEY, baseUrl: "${server.staging}" }`;
  return program.replace("createClient()", `createClient(${settings})`);
}
