import { expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { PROJECT } from "./documents.ts";

// Applies the code blocks in docs/contributing/adding-an-operation.md to a copy of the project.

const DOCUMENT = `${PROJECT}docs/contributing/adding-an-operation.md`;

const LEFT_OUT = /^(\.git|data|.*\bdist|.*\bnode_modules|.*\bgenerated)$/;

interface Block {
  readonly kind: string;
  readonly path: string;
  readonly text: string;
}

/** Returns the code blocks in the document that name a file. A `diff` block changes the file, and any other block is a new file. */
async function blocks(): Promise<readonly Block[]> {
  const text = await Bun.file(DOCUMENT).text();
  return [...text.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = "", path = "", block = ""]) => ({ kind, path, text: block }),
  );
}

/** Applies a diff to a text. Each part of the diff replaces the only place in the text where its old lines occur. */
function patch(text: string, diff: string): string {
  let patched = text;
  for (const part of diff.split(/^@@\n/m)) {
    const lines = part.trimEnd().split("\n");
    const side = (mark: string) =>
      lines
        .filter((line) => !line.startsWith(mark))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const [before, ...rest] = patched.split(side("+"));
    expect([side("+"), rest.length]).toEqual([side("+"), 1]);
    patched = `${before}${side("-")}${rest[0]}`;
  }
  return patched;
}

/** The tests run in the quick way of `npm test`, because those in the document are about a single operation. */
const ENV = { ...process.env, PETSTORE_TEST_QUICK: "1" };

async function run(
  folder: string,
  ...command: readonly string[]
): Promise<{ code: number; printed: string }> {
  const child = Bun.spawn([...command], { cwd: folder, env: ENV, stdout: "pipe", stderr: "pipe" });
  const printed = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, printed: printed.join("") };
}

/** A test that also causes every response of the operation that the document adds. */
const REPLAY = "test/conformity/replay.test.ts";

test("the worked example compiles, and passes every check and its tests", async () => {
  const folder = await mkdtemp(join(tmpdir(), "worked-example-"));
  await cp(PROJECT, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(PROJECT, path)) });
  await symlink(`${PROJECT}node_modules`, join(folder, "node_modules"));

  const changed = await blocks();
  expect(changed.map(({ kind }) => kind)).toContain("diff");
  for (const { kind, path, text } of changed) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await Bun.write(file, kind === "diff" ? patch(await Bun.file(file).text(), text) : text);
  }
  expect(await run(folder, "npm", "run", "docs")).toMatchObject({ code: 0 });
  const checked = await run(folder, "npm", "run", "check");
  expect(checked.printed).not.toContain("FAIL");
  expect(checked.code).toBe(0);
  const tests = changed.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));
  const tested = await run(folder, process.execPath, "test", "--timeout=1200000", ...tests, REPLAY);
  expect(tested).toEqual({ code: 0, printed: expect.stringContaining(" 0 fail") });
  await rm(folder, { recursive: true });
});
