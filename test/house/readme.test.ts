import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { messagesDocument, petstoreDocument } from "../../src/documents.ts";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";

// What the documents say is what happens.

const PROJECT = new URL("../../", import.meta.url).pathname;
const readme = await Bun.file(`${PROJECT}README.md`).text();

let server: Server;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
});
afterAll(() => server.stop());

describe("README.md", () => {
  test("the first minute prints what it says, line by line", async () => {
    const transcript = /```console\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const steps = transcript
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = "", ...output] = step.trimEnd().split("\n");
        return { command, output: output.join("\n") };
      });
    expect(steps).toHaveLength(5);
    // One shell, as a reader has one; a mark between the steps tells their output apart.
    const script = steps.map(({ command }) => `echo '#mark'; ${quiet(command)} 2>&1`).join("\n");
    const shell = Bun.spawn(["bash", "-c", script], {
      cwd: PROJECT,
      env: {
        ...process.env,
        ...server.store.settings,
        npm_config_loglevel: "silent",
        NO_UPDATE_NOTIFIER: "1",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ]);
    const printed = out
      .split("#mark\n")
      .slice(1)
      .map((text) => text.trim());
    const [, ...afterTheKey] = steps;
    expect(err).toMatch(asPattern(steps[0]?.output ?? ""));
    expect(printed.slice(1)).toEqual(afterTheKey.map(({ output }) => output));
  }, 30_000);

  test("its table names every operation with its path, and marks what is beta", () => {
    for (const { id, method, path, stability, deprecation } of [
      ...petstoreDocument.operations,
      ...messagesDocument.operations,
    ]) {
      const mark = stability === undefined ? "" : ` (${stability})`;
      const name =
        deprecation === undefined ? `\`${id}\`${mark}` : `\`${id}\` (deprecated, ends 5 December 2030)`;
      const row = `\n| ${name} | \`${method} ${path}`;
      expect([id, readme.includes(row)]).toEqual([id, true]);
    }
  });
});

describe("every document", () => {
  const documents = [...new Bun.Glob("{*.md,decisions/*.md,docs/**/*.md}").scanSync({ cwd: PROJECT })].sort();
  for (const path of documents) {
    test(`${path}: what it links to, and the files it names, are there`, async () => {
      const text = await Bun.file(PROJECT + path).text();
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = ""]) => to);
      const files = [...text.matchAll(/`((?:src|test|scripts|bin|openapi|decisions|docs)\/[\w./-]+)`/g)].map(
        ([, to = ""]) => to,
      );
      for (const to of [...links, ...files])
        expect([path, to, existsSync(PROJECT + to)]).toEqual([path, to, true]);
    });
  }
});

/** The README's own addresses stand for those of this server; curl's progress is for terminals. */
function quiet(command: string): string {
  return command.replaceAll("http://localhost:8080/v1", server.production).replace(/^curl /, "curl -s ");
}

/** The README's text, with an ellipsis for what is different every time. */
function asPattern(text: string): RegExp {
  return new RegExp(text.split("…").map(literally).join("\\w+"));
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
