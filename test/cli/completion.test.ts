import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bashCompletion } from "../../src/cli/completion/bash.ts";
import { commandTree } from "../../src/cli/completion/command-tree.ts";
import { fishCompletion } from "../../src/cli/completion/fish.ts";
import { zshCompletion } from "../../src/cli/completion/zsh.ts";
import { createProgram } from "../../src/cli/program.ts";
import { outcomeOf } from "../wire/process.ts";
import { everyCommand } from "./commands.ts";

const tree = commandTree(await createProgram());
const script = join(mkdtempSync(join(tmpdir(), "petstore-completion-")), "petstore.bash");
writeFileSync(script, bashCompletion(tree));

/** What bash offers for the last of these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const program = `source "$0"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    $(complete -p petstore | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(["bash", "-c", program, script, ...words], { stdout: "pipe", stderr: "pipe" });
  const { out, err } = await outcomeOf(child);
  expect(err).toBe("");
  return out.trim() === "" ? [] : out.trim().split("\n");
}

describe("in bash", () => {
  test("the script is one that bash accepts", async () => {
    const child = Bun.spawn(["bash", "-n", script], { stderr: "pipe" });
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
  });

  // completion-shells.long.test.ts has every enumerated value, in every shell.
  const cases: [line: string, offers: string][] = [
    ["petstore pe", "pets"],
    ["petstore categories ", "list show add update remove"],
    ["petstore orders c", "complete cancel"],
    ["petstore pets list --status ", "available pending sold"],
    ["petstore pets update 1 --status n", "none"],
    ["petstore pets import animals.csv --form", "--format"],
    ["petstore events --type order.", "order.placed order.completed order.cancelled"],
    ["petstore serve m", "messages"],
    ["petstore pets export ", ""],
    ["petstore backup --data-dir ", ""],
  ];
  test.each(cases)("%s⇥ offers %s", async (line, offers) => {
    expect((await offered(...line.split(" "))).join(" ")).toBe(offers);
  });

  test("every command is offered under the one above it, and every option to it", async () => {
    for (const { path, command } of everyCommand(await createProgram())) {
      const words = path.split(" ");
      expect(await offered(...words)).toEqual(
        words.length === 1 ? ["petstore"].slice(1) : [words.at(-1) ?? ""],
      );
      const options = [...command.options.map(({ long }) => long ?? ""), "--help"];
      expect(await offered(...words, "-")).toEqual(options);
    }
  });
});

// completion-shells.long.test.ts has all three shells complete; these hold what the scripts of two say where they are not installed.
for (const [shell, text] of [
  ["zsh", zshCompletion(tree)],
  ["fish", fishCompletion(tree)],
] as const) {
  test(`the script for ${shell} names every command, option and choice, with its quotes in pairs`, () => {
    for (const { path, options } of tree) {
      expect(text).toContain(`'${path}'`.replace(/^'(.*)'$/, shell === "fish" ? "$1" : "'$1'"));
      for (const { name, value } of options) {
        expect(text).toContain(shell === "fish" ? `-l ${name.slice(2)} ` : name);
        if (typeof value === "object") expect(text).toContain(value.join(" "));
      }
    }
    const withoutEscapes = text.replaceAll(shell === "fish" ? /\\./g : /'\\''/g, "");
    expect(withoutEscapes.split("'").length % 2).toBe(1);
  });
}
