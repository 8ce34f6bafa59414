// Provides a running service, and a shell in a folder where petstore is installed, as a reader of the documents would have them.
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "../wire/server.ts";
import { PROJECT } from "./documents.ts";

/** A command in a document, and the output that the document shows for it. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

export interface Terminal {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Replaces the addresses in a document with those of this service. */
  localized(text: string): string;
  /** Runs the commands one after another in the same shell, and returns the output of each. */
  play(commands: readonly string[]): Promise<readonly string[]>;
}

const TRANSCRIPT = /^```console\n(?<transcript>[\s\S]*?)^```$/;
const ANSWERED = /^```sh\n(?<command>(?:(?!```).*\n)+)```\n\n```(?:json|text)\n(?<output>[\s\S]*?)^```$/;
const EXPORTS = /^```sh\n(?<exports>(?:export .*\n)+)```$/;
const STEPS = new RegExp([TRANSCRIPT, ANSWERED, EXPORTS].map(({ source }) => source).join("|"), "gm");

type DocumentedStep = Omit<Step, "output"> & Partial<Step>;

/**
 * Returns the commands in a document that are shown with their output, as in a terminal, together with the `export` lines that they
 * need.
 */
export function stepsIn(text: string): readonly DocumentedStep[] {
  return [...text.matchAll(STEPS)].flatMap(({ groups = {} }): readonly DocumentedStep[] => {
    const { transcript, command, output = "", exports = "" } = groups;
    if (transcript !== undefined) return stepsOf(transcript);
    return [command === undefined ? { command: exports } : { command, output: output.trimEnd() }];
  });
}

/** Splits a transcript of a terminal into commands and their outputs. Each command follows a `$`. */
export function stepsOf(transcript: string): readonly Step[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    });
}

export async function openTerminal(server: Server): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), "reader-"));
  await mkdir(join(folder, "node_modules", "@petstore"), { recursive: true });
  await symlink(`${PROJECT}client`, join(folder, "node_modules", "@petstore", "client"));
  // Removes the settings of the person who runs the tests, because they must not affect the commands.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("PETSTORE_"));
  const environment = {
    ...Object.fromEntries(others),
    ...server.store.settings,
    XDG_CONFIG_HOME: join(folder, "config"),
    PETSTORE_URL: server.production,
    PETSTORE_MESSAGES_URL: server.messages,
    ...Object.fromEntries(
      (["production", "staging", "messages", "metrics"] as const).map((name) => [
        `PETSTORE_${name.toUpperCase()}_PORT`,
        new URL(server[name]).port,
      ]),
    ),
    PATH: `${PROJECT}:${process.env["PATH"]}`,
  };
  const addresses = addressesOf(server);
  const localized = (text: string) =>
    addresses.reduce((all, [documented, here]) => all.replaceAll(documented, here), text);
  return {
    folder,
    environment,
    localized,
    async play(commands) {
      const printed = await playInOneShell(
        commands.map((command) => quiet(localized(command))),
        folder,
        environment,
      );
      return printed.map((text) =>
        addresses.reduce((all, [documented, here]) => all.replaceAll(here, documented), text).trim(),
      );
    },
  };
}

/** Turns off curl's progress output. */
function quiet(command: string): string {
  return command.replaceAll(/\bcurl /g, "curl -s ");
}

/** Runs the lines one after another, as a person would. Resolves to the output of each line. */
export async function playInOneShell(
  lines: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  // A marker line is printed before each command, to separate the outputs.
  const script = lines.map((line) => `echo '#mark'; { ${line}\n} 2>&1`).join("\n");
  const shell = Bun.spawn(["bash", "-c", script], {
    cwd: folder,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(shell.stdout).text();
  return printed
    .split("#mark\n")
    .slice(1)
    .map((text) => text.trimEnd());
}

/** Returns pairs of addresses: one that the documents show, and the one of this service that takes its place. */
function addressesOf(server: Server): readonly (readonly [documented: string, here: string])[] {
  return [
    ["http://localhost:8080/v1", server.production],
    ["http://localhost:8081/v1", server.staging],
    ["http://localhost:8082", server.messages],
    ["http://localhost:8090/metrics", server.metrics],
  ];
}

/**
 * Returns a pattern that matches a text in a document. An ellipsis in the text matches a value that differs each time, and the
 * width of table columns may differ.
 */
export function asPattern(text: string): RegExp {
  return new RegExp(`^${text.split("…").map(literally).join("\\S+ *")}$`);
}

export function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ {2,}/g, " {2,}");
}
