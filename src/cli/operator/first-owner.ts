import { basename, join, resolve } from "node:path";
import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { folderOffPath, invocation } from "../../platform/executable.ts";
import { isContainerTerminal } from "../terminal/container-terminal.ts";
import { pasteable } from "../terminal/shell-quote.ts";

const DEFAULT_URL = `http://localhost:${SETTINGS.productionPort.default}/v1`;

/**
 * Returns the command that a person runs, in any folder, to become the first owner. The command creates the account, or a link for
 * creating it. Returns undefined if anybody can create the first owner's account in the console.
 *
 * @param url the base address where people open the console
 */
export function ownerCommand(config: Config, url = DEFAULT_URL): string | undefined {
  const { databaseUrl, dataDir, signUp } = config;
  const folder = folderOffPath();
  const typed = folder === undefined ? invocation() : join(folder, "petstore");
  const program = pasteable(basename(typed) === typed ? typed : resolve(typed));
  const store = databaseUrl === undefined ? ` --data-dir ${pasteable(resolve(dataDir))}` : "";
  const address = url === DEFAULT_URL ? "" : ` --production-url ${pasteable(url)}`;
  return {
    invite: `${program} accounts invite${address}${store}`,
    open: undefined,
    closed: `${program} accounts create EMAIL${store}`,
  }[signUp];
}

/**
 * Returns the rest of a sentence that begins with "there is no owner yet". It says what the command for the first owner does, or
 * that no command is needed.
 */
export function withoutOwner({ databaseUrl, signUp }: Config): string {
  const command = `this command${databaseUrl === undefined ? "" : `, with the same ${SETTINGS.databaseUrl.variable},`}`;
  return {
    invite: `${command} prints a link that creates the owner's account`,
    open: "whoever creates the first account becomes the owner",
    closed: `${command} creates the owner's account`,
  }[signUp];
}

/**
 * True if the service may print a link for the first owner when it starts. Standard error must be a terminal, but not that of a
 * container whose log keeps all output, because other people could read the link there.
 */
export function mayShowLink({ signUp }: Config): boolean {
  return signUp === "invite" && process.stderr.isTTY && !isContainerTerminal();
}

/** Returns lines that tell a person how to become the first owner: with the link if there is one, otherwise with the command. */
export function ownerLines(config: Config, link: string | undefined, command = ""): readonly string[] {
  if (link !== undefined)
    return [
      "There is no owner yet. Open this link to create the owner's account. It works once, and expires in 72 hours:",
      "",
      `  ${link}`,
    ];
  const text = `There is no owner yet: ${withoutOwner(config)}`;
  return command === "" ? [`${text}.`] : [`${text}:`, "", `  ${command}`];
}
