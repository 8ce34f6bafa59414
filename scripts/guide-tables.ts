// Writes the tables of settings and commands in the guides. With --check, it writes nothing, and fails if a table is out of date.
import type { Command } from "../src/cli/command.ts";
import { createProgram } from "../src/cli/program.ts";
import { SETTINGS } from "../src/config/settings.ts";
import { writeOrCheck } from "./generated-file.ts";

/** Options that many commands have. The tables leave them out, because the guide explains each of them in its text. */
const EXPLAINED: ReadonlySet<string> = new Set([
  ...["--output", "--quiet", "--json", "--limit", "--all", "--if-match", "--yes"],
  ...["--environment", "--url", "--messages-url", "--debug"],
]);
/**
 * The flags of settings, such as `--data-dir`. The table of commands leaves them out, because the guide about settings lists them.
 */
const SETTING_FLAGS = new Set(Object.values(SETTINGS).map(({ flag }) => flag));

interface Entry {
  /** The heading under which petstore's help lists the command or its parent command. */
  readonly heading: string;
  /** The words that call the command, without `petstore`, such as `pets list`. */
  readonly path: string;
  readonly command: Command;
}

await writeTables("docs/guides/settings.md", "settings", settingsTable());
await writeTables("docs/guides/command-line.md", "commands", await commandTables());

/** Replaces the text of a guide between the comments `<!-- NAME -->` and `<!-- /NAME -->`. */
async function writeTables(path: string, name: string, tables: string): Promise<void> {
  const text = await Bun.file(new URL(`../${path}`, import.meta.url)).text();
  const part = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
  await writeOrCheck(
    path,
    text.replace(part, (_, start, end) => `${start}${tables}\n${end}`),
  );
}

function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(
    ({ variable, default: fallback, meaning }) =>
      `| \`${variable}\` | ${fallback ? `\`${fallback}\`` : ""} | ${meaning} |`,
  );
  return ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

async function commandTables(): Promise<string> {
  const groups = Map.groupBy(leavesOf(await createProgram()), ({ heading }) => heading);
  const sections = [...groups].map(([heading, entries]) =>
    [`### ${heading}\n`, "| command | what it does |", "|---|---|", ...entries.map(rowOf)].join("\n"),
  );
  return `\n${sections.join("\n\n")}\n`;
}

/** Returns the commands that have no subcommands, in the order of petstore's help. */
function leavesOf(
  parent: Command,
  above: Pick<Entry, "heading" | "path"> = { heading: "", path: "" },
): Entry[] {
  return parent.commands.flatMap((command) => {
    const heading = above.heading || command.helpGroup().replace(/:$/, "");
    const entry = { heading, path: `${above.path} ${command.name()}`.trimStart(), command };
    return command.commands.length === 0 ? [entry] : leavesOf(command, entry);
  });
}

/**
 * Writes a command's row in the table: the command with its arguments, the first part of its description, and the options that
 * other commands do not have.
 */
function rowOf({ path, command }: Entry): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options
    .filter(({ flags, hidden }) => !hidden && !SETTING_FLAGS.has(flags))
    .filter(({ mandatory, long = "" }) => mandatory || !EXPLAINED.has(long))
    .map(({ long }) => `\`${long}\``);
  const [meaning = ""] = command.description().split(";");
  const call = `\`${[path, ...words].join(" ")}\``;
  return `| ${call} | ${[options.length === 0 ? meaning : `${meaning}:`, ...options].join(" ")} |`;
}
