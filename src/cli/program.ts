import packageJson from "../../package.json" with { type: "json" };
import { withoutTokens } from "../keys/token.ts";
import { Command } from "./command.ts";
import { addNotes, configureHelp } from "./help.ts";

/**
 * Creates the program `petstore` with the command that the first argument names. If it names no command, the program has every
 * command.
 */
export async function createProgram([first = ""]: readonly string[] = []): Promise<Command> {
  const program = new Command("petstore")
    .description("Runs a pet shop: a web console for staff, and an API for programs.")
    .version(packageJson.version)
    .exitOverride();
  configureHelp(program);
  if (first === "__complete")
    (await import("./completion/complete.ts")).addCompleteCommand(program, createProgram);
  else if (!VERSION_FLAGS.includes(first)) await addCommands(program, first);
  program.helpCommand(true);
  addNotes(program);
  explainUsage(program);
  return program;
}

/** Flags that print the version. With one of these, no command is loaded. */
const VERSION_FLAGS: readonly string[] = ["-V", "--version"];

/** Translates arguments that people try first (`version`, `-v`, `help`) to `--version` and `--help`. */
export function translateAliases(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  if (first === "help") return [...rest, "--help"];
  return ["version", "-v"].includes(first) ? ["--version", ...rest] : words;
}

/** Makes the command print each usage error as one line that points to the command's help. */
function explainUsage(command: Command, above = "") {
  const path = `${above}${command.name()}`;
  command.configureOutput({
    outputError(text, write) {
      const line = oneLine(text);
      const example = / is missing\.$/.test(line) ? ` Example: ${command.examples[0]}` : "";
      write(`${line} See ${path} --help.${example}\n`);
    },
  });
  if (command.commands.length > 0) command.addHelpText("before", () => refuseUnknown(command));
  for (const one of command.commands) explainUsage(one, `${path} `);
}

/**
 * Refuses an unknown subcommand. Without this, commander would show the help of the whole group for `petstore pets ad --help`.
 */
function refuseUnknown(group: Command): string {
  const word = group.args.find((one) => one !== "help" && !one.startsWith("-"));
  if (word === undefined || group.commands.some((one) => [one.name(), ...one.aliases()].includes(word)))
    return "";
  return group.error(`error: unknown command '${word}'`);
}

/** Patterns of commander's error messages, each with the message that replaces it. */
const REWORDED: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/command-argument value '(.*)' is invalid for argument '(.*?)'\./, "<$2> cannot be '$1'."],
  [/option '(?:-\w, )?(--\S+).*?' argument '(.*)' is invalid\./, "$1 cannot be '$2'."],
  [/option '(?:-\w, )?(--.*?)' argument missing/, "$1 has no value"],
  [/required option '(.*?)' not specified/, "$1 is missing"],
  [/missing required argument '(.*?)'/, "<$1> is missing"],
  [/(Expected [1-9].*? but got \d+)\./, "$1: put text with spaces in quotes."],
];

/** Puts a usage error on one line. Redacts API keys, because an argument in the wrong place may be a key. */
function oneLine(usageError: string): string {
  const text = withoutTokens(usageError)
    .trim()
    .replace(/^error:/, "petstore:")
    .replaceAll(/\s*\n\s*/g, " ");
  const line = REWORDED.reduce((all, [theirs, ours]) => all.replace(theirs, ours), text);
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}

type Load = () => Promise<{ readonly addCommands: (program: Command) => void }>;

/**
 * All commands, in the order of the help and grouped by its headings. A command's code is imported only when the command is
 * called or listed.
 */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Common commands:": {
    serve: () => import("./operator/serve.ts"),
    demo: () => import("./operator/demo.ts"),
    keys: () => import("./operator/keys.ts"),
    "login logout": () => import("./remote/login.ts"),
    pets: () => import("./remote/pets.ts"),
    orders: () => import("./remote/orders.ts"),
    categories: () => import("./remote/categories.ts"),
  },
  "More commands, for a service on this or another machine:": {
    status: () => import("./remote/status.ts"),
    whoami: () => import("./remote/whoami.ts"),
    open: () => import("./remote/open.ts"),
    events: () => import("./remote/events.ts"),
    listen: () => import("./remote/listen.ts"),
    webhooks: () => import("./remote/webhooks.ts"),
    messages: () => import("./remote/messages.ts"),
    mcp: () => import("./mcp/mcp.ts"),
    completion: () => import("./completion/completion.ts"),
  },
  "Commands for the operator, on the service's machine:": {
    doctor: () => import("./doctor/doctor.ts"),
    "backup restore": () => import("./operator/backup.ts"),
    accounts: () => import("./operator/accounts.ts"),
    audit: () => import("./operator/audit.ts"),
    migrate: () => import("./operator/migrate.ts"),
    copy: () => import("./operator/copy.ts"),
    healthcheck: () => import("./operator/healthcheck.ts"),
  },
};

async function addCommands(program: Command, name: string) {
  const all = Object.entries(COMMANDS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([names, load]) => ({ heading, names: names.split(" "), load })),
  );
  const called = all.find(({ names }) => names.includes(name));
  for (const { heading, load } of called === undefined ? all : [called]) {
    program.commandsGroup(heading);
    (await load()).addCommands(program);
  }
}
