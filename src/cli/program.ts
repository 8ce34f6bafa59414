import packageJson from "../../package.json" with { type: "json" };
import { withoutTokens } from "../keys/token.ts";
import { Command } from "./command.ts";

/** Creates the program `petstore` with the command that its first argument names, or else with every command. */
export async function createProgram([first = ""]: readonly string[] = []): Promise<Command> {
  const program = new Command("petstore")
    .description("A pet store service: durable, authenticated, exact.")
    .version(packageJson.version)
    .exitOverride()
    .configureHelp({ subcommandTerm })
    .addHelpText("after", EXIT_CODES)
    .addExamples(
      "petstore serve",
      "petstore login",
      "petstore pets add Fluffy --category 1",
      "petstore pets list",
    );
  if (first === "__complete")
    (await import("./completion/complete.ts")).addCompleteCommand(program, createProgram);
  else if (!VERSION_FLAGS.includes(first)) await addCommands(program, first);
  nameGuides(program);
  program.helpCommand(true);
  explainUsage(program);
  return program;
}

/** Flags that print the version, for which no command is loaded. */
const VERSION_FLAGS: readonly string[] = ["-V", "--version"];

/** Translates arguments that people try first (`version`, `-v`, `help`) to `--version` and `--help`. */
export function translateAliases(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  if (first === "help") return [...rest, "--help"];
  return ["version", "-v"].includes(first) ? ["--version", ...rest] : words;
}

/** Address of the guides, on a service at its default port. */
const GUIDES = "http://localhost:8080/docs/guides";

const EXIT_CODES = `
Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.
Results go to standard output, everything else to standard error.
Guides: ${GUIDES}; reference: http://localhost:8080/docs (of a service that runs here)`;

/** Guide that a command's help names, by command; by default the guide of the command line. */
const GUIDE_OF: Readonly<Record<string, string>> = {
  serve: "run",
  keys: "first-call",
  accounts: "first-hour",
  migrate: "operate",
  copy: "scale",
  backup: "operate",
  restore: "operate",
  doctor: "operate",
  events: "webhooks",
  listen: "webhooks",
  webhooks: "webhooks",
  mcp: "agents",
};

function nameGuides({ commands }: Command) {
  for (const command of commands) {
    const guide = GUIDE_OF[command.name()] ?? "command-line";
    command.addHelpText("after", `\nGuide: ${GUIDES}/${guide}`);
  }
}

/** Makes usage errors one line that names the help of the command. */
function explainUsage(command: Command, above = "") {
  const path = `${above}${command.name()}`;
  command.configureOutput({ outputError: (text, write) => write(`${oneLine(text)} See ${path} --help.\n`) });
  if (command.commands.length > 0) command.addHelpText("before", () => refuseUnknown(command));
  for (const one of command.commands) explainUsage(one, `${path} `);
}

/** Refuses an unknown subcommand: commander would show the group's help for `petstore pets ad --help`. */
function refuseUnknown(group: Command): string {
  const word = group.args.find((one) => one !== "help" && !one.startsWith("-"));
  if (word === undefined || group.commands.some((one) => [one.name(), ...one.aliases()].includes(word)))
    return "";
  return group.error(`error: unknown command '${word}'`);
}

/** Writes a usage error on one line, with API keys redacted: a misplaced argument may be one. */
function oneLine(usageError: string): string {
  const line = withoutTokens(usageError)
    .trim()
    .replace(/^error:/, "petstore:")
    .replaceAll(/\s*\n\s*/g, " ");
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}

/** A subcommand's entry in the help, `remove|rm|delete <id>`: commander would show only the first alias. */
function subcommandTerm(command: Command): string {
  const names = [command.name(), ...command.aliases()].join("|");
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [names, ...(command.options.length > 0 ? ["[options]"] : []), ...words].join(" ");
}

type Load = () => Promise<{ readonly addCommands: (program: Command) => void }>;

/** All commands by their heading in the help, in its order. Each is imported when it is called or listed. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Service and operator commands:": {
    serve: () => import("./operator/serve.ts"),
    demo: () => import("./operator/demo.ts"),
    keys: () => import("./operator/keys.ts"),
    accounts: () => import("./operator/accounts.ts"),
    audit: () => import("./operator/audit.ts"),
    migrate: () => import("./operator/migrate.ts"),
    copy: () => import("./operator/copy.ts"),
    "backup restore": () => import("./operator/backup.ts"),
    doctor: () => import("./doctor/doctor.ts"),
    healthcheck: () => import("./operator/healthcheck.ts"),
  },
  "Remote store commands:": {
    "login logout": () => import("./remote/login.ts"),
    whoami: () => import("./remote/whoami.ts"),
    status: () => import("./remote/status.ts"),
    open: () => import("./remote/open.ts"),
    pets: () => import("./remote/pets.ts"),
    orders: () => import("./remote/orders.ts"),
    categories: () => import("./remote/categories.ts"),
    events: () => import("./remote/events.ts"),
    listen: () => import("./remote/listen.ts"),
    webhooks: () => import("./remote/webhooks.ts"),
    messages: () => import("./remote/messages.ts"),
    mcp: () => import("./mcp/mcp.ts"),
  },
  "Other commands:": { completion: () => import("./completion/completion.ts") },
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
