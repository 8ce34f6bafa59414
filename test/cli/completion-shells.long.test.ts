import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bashCompletion } from "../../src/cli/completion/bash.ts";
import { commandTree, valueOptions } from "../../src/cli/completion/command-tree.ts";
import { fishCompletion } from "../../src/cli/completion/fish.ts";
import { zshCompletion } from "../../src/cli/completion/zsh.ts";
import { createProgram } from "../../src/cli/program.ts";
import { outcomeOf } from "../wire/process.ts";

// The shells themselves complete: each runs its script, is given command lines, and prints what it offers for their last word.

const tree = commandTree(await createProgram());
const folder = mkdtempSync(join(tmpdir(), "petstore-shells-"));
beforeAll(() => writeFileSync(join(folder, "animals.csv"), ""));
afterAll(() => rmSync(folder, { recursive: true }));

type Offers = readonly (readonly string[])[];
type Case = readonly [line: string, offers: readonly string[]];
type Shell = (lines: readonly string[]) => Promise<Offers>;

const env = {
  HOME: folder,
  ZDOTDIR: folder,
  PATH: process.env["PATH"] ?? "",
  TERM: "dumb",
  LANG: "C.UTF-8",
};

function writeScript(shell: string, script: string): void {
  if (Bun.which(shell) === null)
    throw new Error(`There is no ${shell}: apt-get install --no-install-recommends zsh fish`);
  writeFileSync(join(folder, `petstore.${shell}`), script);
}

/** What was printed for each line, below it. */
function offersOf(printed: string): Offers {
  const parts = printed.split(/^== .*\n/m).slice(1);
  return parts.map((part) => sorted(part.split("\n").filter(Boolean)));
}

async function runOn(lines: readonly string[], command: readonly string[]): Promise<Offers> {
  const stdin = new Blob([`${lines.join("\n")}\n`]);
  const child = Bun.spawn([...command], { cwd: folder, env, stdin, stdout: "pipe", stderr: "pipe" });
  const { out, err } = await outcomeOf(child);
  expect(err).toBe("");
  return offersOf(out);
}

// The last words of bash: = parts a word from an option before it, as readline does.
const BASH = `source ./petstore.bash
while IFS= read -r line; do
  echo "== $line"
  read -ra COMP_WORDS <<< "\${line//=/ = }"
  [ "\${line% }" = "$line" ] || COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  _petstore
  printf '%s\\n' "\${COMPREPLY[@]}"
done`;

const FISH = `source ./petstore.fish
while read -l line
    echo "== $line"
    complete -C "$line" | string split -f 1 \\t
end`;

// zsh completes in its line editor only, which needs a terminal. compadd is what adds each offer.
const ZSH = `autoload -Uz compinit; compinit -u -d $ZDOTDIR/dump
source $ZDOTDIR/petstore.zsh
typeset -a offers
compadd() {
  if [[ " \${(j: :)@[1,(i)(-|--)]} " != *" -"[OAD]" "* ]]; then
    local -a hits
    builtin compadd -O hits "$@"
    offers+=("\${(@)hits}")
  fi
  builtin compadd "$@"
}
zle-line-init() {
  local line
  for line in "\${(@f)$(<$ZDOTDIR/lines)}"; do
    BUFFER=$line; CURSOR=$#BUFFER; offers=()
    zle list-choices
    print -r -- "== $line" >> $ZDOTDIR/offers
    print -rl -- "\${(@)offers}" >> $ZDOTDIR/offers
  done
  exit
}
zle -N zle-line-init
`;

const SHELLS: Readonly<Record<string, Shell>> = {
  bash(lines) {
    writeScript("bash", bashCompletion(tree));
    return runOn(lines, ["bash", "-c", BASH]);
  },
  fish(lines) {
    writeScript("fish", fishCompletion(tree));
    return runOn(lines, ["fish", "--no-config", "-c", FISH]);
  },
  async zsh(lines) {
    writeScript("zsh", zshCompletion(tree));
    writeFileSync(join(folder, ".zshrc"), ZSH);
    writeFileSync(join(folder, "lines"), lines.join("\n"));
    writeFileSync(join(folder, "offers"), "");
    const terminal = { cols: 200, rows: 200, data() {} };
    await Bun.spawn(["zsh", "-d", "-i"], { cwd: folder, env, terminal }).exited;
    return offersOf(await Bun.file(join(folder, "offers")).text());
  },
};

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}

/** A line for each enumerated value of an option or an argument, and for the words of each group of commands. */
const enumerated: readonly Case[] = tree.flatMap(
  ({ path, aliases, options, subcommands, arguments: values }) =>
    [path, ...aliases].flatMap((words) => [
      ...(subcommands.length > 0 ? [[`${words} `, subcommands.map(({ name }) => name)] as const] : []),
      ...options.flatMap(({ name, short, value }) =>
        typeof value === "object"
          ? [name, short ?? name].map((option) => [`${words} ${option} `, value] as const)
          : [],
      ),
      ...values.flatMap((value, index) =>
        typeof value === "object" ? [[`${words} ${"x ".repeat(index)}`, value] as const] : [],
      ),
    ]),
);

const single: readonly Case[] = [
  ["petstore pets l", ["list"]],
  ["petstore pets cr", ["create"]],
  ["petstore help pets ex", ["export"]],
  ["petstore pets ls --status=s", ["sold"]],
  ["petstore pets list --status sold --out", ["--output"]],
  ["petstore serve --log de", ["debug"]],
  ["petstore serve --sign-up ", ["closed", "invite", "open"]],
  ["petstore accounts role --data-dir x anne@example.com o", ["owner"]],
  ["petstore pets import an", ["animals.csv"]],
  ["petstore pets import animals.csv --refused an", ["animals.csv"]],
  ["petstore pets list --limit an", []],
  ["petstore pets show an", []],
];

for (const [shell, offered] of Object.entries(SHELLS))
  describe(shell, () => {
    test("offers every enumerated value, and the commands of each group", async () => {
      expect(enumerated.length).toBeGreaterThan(150);
      const offers = await offered(enumerated.map(([line]) => line));
      expect(enumerated.map(([line], index) => [line, offers[index] ?? []])).toEqual(
        enumerated.map(([line, expected]) => [line, sorted(expected)]),
      );
    });

    test("offers other words, choices after = and files where they are expected", async () => {
      const offers = await offered(single.map(([line]) => line));
      // bash itself offers files; its function leaves that on.
      const isLeftToBash = (line: string) => shell === "bash" && / an$/.test(line);
      const withoutOption = (words: readonly string[] = []) =>
        words.map((word) => word.replace(/^--status=/, ""));
      expect(single.map(([line], index) => [line, withoutOption(offers[index])])).toEqual(
        single.map(([line, expected]) => [line, isLeftToBash(line) ? [] : [...expected]]),
      );
    });

    test("completes the last of several types", async () => {
      const [offers = []] = await offered(["petstore events --type pet.created,order.c"]);
      const types = ["order.cancelled", "order.completed"];
      // zsh keeps what is before the comma to itself.
      expect(offers).toEqual(shell === "zsh" ? types : types.map((type) => `pet.created,${type}`));
    });
  });

test("in bash, files are offered only where one is expected", async () => {
  writeScript("bash", bashCompletion(tree));
  const child = Bun.spawn(["bash", "--norc", "-i"], {
    cwd: folder,
    env: { ...env, PS1: "" },
    terminal: { cols: 200, rows: 50, data: (_, bytes) => void screen.push(new TextDecoder().decode(bytes)) },
  });
  const screen: string[] = [];
  child.terminal?.write("source ./petstore.bash; petstore() { printf 'got<%s>\\n' \"$*\"; }\n");
  child.terminal?.write("petstore pets import an\t\npetstore pets list --limit an\t\nexit\n");
  await child.exited;
  const got = [...screen.join("").matchAll(/got<([^>%]*)>/g)].map(([, words]) => words);
  expect(got).toEqual(["pets import animals.csv", "pets list --limit an"]);
});

test("an option takes a value in every command with arguments that has it, or in none", () => {
  const withValue = new Set(valueOptions(tree));
  const doubtful = tree.filter(
    ({ options, arguments: values }) =>
      values.length > 0 && options.some(({ name, value }) => value === undefined && withValue.has(name)),
  );
  expect(doubtful.map(({ path }) => path)).toEqual([]);
});
