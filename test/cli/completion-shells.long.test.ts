import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCRIPTS } from "../../src/cli/completion/completion.ts";
import { outcomeOf } from "../wire/process.ts";
import { petstoreOnPath } from "./petstore-on-path.ts";

// Tests completion in real shells. Each shell loads its completion script, reads command lines, and prints the words that it offers
// for the last word.

const folder = mkdtempSync(join(tmpdir(), "petstore-shells-"));
writeFileSync(join(folder, "animals.csv"), "");
afterAll(() => rmSync(folder, { recursive: true }));

type Offers = readonly (readonly string[])[];
type Case = readonly [line: string, offers: readonly string[]];
type Shell = (lines: readonly string[]) => Promise<Offers>;

const env = {
  HOME: folder,
  ZDOTDIR: folder,
  PATH: petstoreOnPath(folder),
  TERM: "dumb",
  LANG: "C.UTF-8",
};

function writeScript(shell: keyof typeof SCRIPTS): void {
  if (Bun.which(shell) === null)
    throw new Error(`There is no ${shell}: apt-get install --no-install-recommends zsh fish`);
  writeFileSync(join(folder, `petstore.${shell}`), SCRIPTS[shell]);
}

/** Splits the output of a shell into the words that it offered for each command line. */
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

// bash treats `=` as the end of a word, as readline does, so it separates an option from its value.
const BASH = `source ./petstore.bash
while IFS= read -r line; do
  echo "== $line"
  read -ra COMP_WORDS <<< "\${line//=/ = }"
  [ "\${line% }" = "$line" ] || COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  _petstore petstore "\${COMP_WORDS[COMP_CWORD]#=}"
  printf '%s\\n' "\${COMPREPLY[@]}"
done`;

const FISH = `source ./petstore.fish
while read -l line
    echo "== $line"
    complete -C "$line" | string split -f 1 \\t
end`;

// zsh completes only in its line editor, which needs a terminal. Its function `compadd` is replaced by one that also collects the
// offered words.
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
    writeScript("bash");
    return runOn(lines, ["bash", "-c", BASH]);
  },
  fish(lines) {
    writeScript("fish");
    return runOn(lines, ["fish", "--no-config", "-c", FISH]);
  },
  async zsh(lines) {
    writeScript("zsh");
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

const cases: readonly Case[] = [
  ["petstore categories ", ["add", "export", "list", "remove", "show", "update"]],
  ["petstore pets list -o ", ["csv", "id", "json", "jsonl", "tsv"]],
  ["petstore pets l", ["list"]],
  ["petstore pets ls --status=s", ["sold"]],
  ["petstore pets list --status sold --out", ["--output"]],
  ["petstore serve --sign-up ", ["closed", "invite", "open"]],
  ["petstore pets import an", ["animals.csv"]],
  ["petstore pets import animals.csv --refused an", ["animals.csv"]],
  ["petstore pets list --limit an", []],
  ["petstore pets show an", []],
];

for (const [shell, offered] of Object.entries(SHELLS))
  describe(shell, () => {
    test("offers commands, other words, choices (even after =), and files where they are expected", async () => {
      const offers = await offered(cases.map(([line]) => line));
      // In bash, files are offered by bash itself and not by the completion script.
      const isLeftToBash = (line: string) => shell === "bash" && / an$/.test(line);
      const withoutOption = (words: readonly string[] = []) =>
        words.map((word) => word.replace(/^--status=/, ""));
      expect(cases.map(([line], index) => [line, withoutOption(offers[index])])).toEqual(
        cases.map(([line, expected]) => [line, isLeftToBash(line) ? [] : [...expected]]),
      );
    });

    test("completes the last of several types", async () => {
      const [offers = []] = await offered(["petstore events --type pet.created,order.c"]);
      const types = ["order.cancelled", "order.completed"];
      // zsh adds the part before the comma itself, so the completion script offers only the last type.
      expect(offers).toEqual(shell === "zsh" ? types : types.map((type) => `pet.created,${type}`));
    });
  });

test("in bash, every offered word is valid, and files are offered only where one is expected", async () => {
  writeScript("bash");
  const child = Bun.spawn(["bash", "--norc", "-i"], {
    cwd: folder,
    env: { ...env, PS1: "" },
    terminal: { cols: 200, rows: 50, data: (_, bytes) => void screen.push(new TextDecoder().decode(bytes)) },
  });
  const screen: string[] = [];
  child.terminal?.write("source ./petstore.bash; petstore() { printf 'got<%s>\\n' \"$*\"; }\n");
  child.terminal?.write("petstore pets import an\t\npetstore pets list --limit an\t\n");
  child.terminal?.write("petstore pets ls --status=so\t\nexit\n");
  await child.exited;
  const got = [...screen.join("").matchAll(/got<([^>%]*)>/g)].map(([, words]) => words);
  expect(got).toEqual(["pets import animals.csv", "pets list --limit an", "pets ls --status=sold"]);
});
