import { Option } from "commander";
import { type ChangeOptions, type Client, type Int64, PetstoreError } from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { errorMessage } from "../../errors.ts";
import type { Command } from "../command.ts";
import { outputFormatOf, printOutcome, startRecords, type TableFormat } from "../terminal/output-formats.ts";
import { type ConfirmOptions, confirm, yesOption } from "../terminal/prompt.ts";
import { entityTag, idArgument, idsArgument } from "./argument-parsers.ts";
import { addPrintedOptions, type RemoteOptions, withClient } from "./connection.ts";
import { explainError } from "./explain-error.ts";
import { printWithTags } from "./print-resources.ts";

interface ResourceCommand<Options> {
  /** The kind of resource that the command's argument identifies, such as `animal`. */
  readonly of: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (id: Int64, options: Options) => Promise<void>;
}

export function addResourceCommand<Options extends RemoteOptions>(
  group: Command,
  name: string,
  { of, description, options = [], examples, run }: ResourceCommand<Options>,
): Command {
  const command = group.command(name).description(description).addArgument(idArgument(of));
  for (const option of options) command.addOption(option);
  addPrintedOptions(command).action(run);
  return command.addExamples(...examples);
}

export interface ChangeFlags extends RemoteOptions {
  readonly ifMatch?: string;
}

export function ifMatchOption(): Option {
  return new Option(
    "--if-match <etag>",
    "make the change only if nobody has changed the resource since it had this ETag (the show command prints the ETag)",
  ).argParser(entityTag);
}

/** Adds the command `show <id...>`, alias `get`, which prints resources with their ETags. */
export function addShow<Item extends object>(
  group: Command,
  of: string,
  format: TableFormat<Item>,
  read: (client: Client, id: Int64) => Promise<Item>,
): void {
  const command = group
    .command("show")
    .description(`show one ${of} or several, with their ETags`)
    .addArgument(idsArgument(of))
    .addExamples(`petstore ${group.name()} show 1`, `petstore ${group.name()} get 1 2 -o jsonl`);
  addPrintedOptions(command).action((ids: readonly Int64[], options: RemoteOptions) =>
    printWithTags(options, format, ids, read),
  );
}

interface Removal {
  /** The kind of resource that the command's argument identifies, such as `animal`. */
  readonly of: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** The verb at the beginning of the confirmation question: `Remove animal 1?` */
  readonly verb: string;
  readonly done: string;
  readonly remove: (client: Client, id: Int64, change: ChangeOptions) => Promise<void>;
}

/** Adds a command that removes resources. On a terminal, it asks for confirmation first. */
export function addRemoval(
  group: Command,
  name: string,
  { of, description, examples, verb, done, remove }: Removal,
): void {
  const command = group.command(name).description(description).addArgument(idsArgument(of));
  addPrintedOptions(command.addOption(ifMatchOption()).addOption(yesOption())).addExamples(...examples);
  command.action(async (ids: readonly Int64[], options: ChangeFlags & ConfirmOptions) => {
    const { ifMatch, environment, quiet } = options;
    const isOne = ids.length === 1;
    if (ifMatch !== undefined && !isOne)
      throw new ConfigError(`--if-match takes the ETag of one ${of}. Give only one identifier.`);
    await confirm(`${verb} ${ids.map((id) => `${of} ${id}`).join(", ")}?`, options);
    const isList = !(isOne || quiet) && outputFormatOf(options) !== undefined;
    const list = isList ? startRecords(options, REMOVED) : undefined;
    const removeOne = async (client: Client, id: Int64) => {
      await remove(client, id, { ifMatch });
      const sentence = `${of.charAt(0).toUpperCase()}${of.slice(1)} ${id} is ${done}.`;
      if (list === undefined) printOutcome(options, { id }, sentence);
      else list.add([{ id }]);
    };
    const refusals: string[] = [];
    await withClient(options, async (client) => {
      for (const id of ids)
        await removeOne(client, id).catch((error: unknown) => {
          // If the service refuses to remove one resource, the command continues with the others.
          if (isOne || !(error instanceof PetstoreError && [404, 409].includes(error.status))) throw error;
          refusals.push(errorMessage(explainError(error, environment)));
        });
    }).finally(() => list?.end());
    if (refusals.length > 0) throw new Error(refusals.join("\n"));
  });
}

const REMOVED: TableFormat<{ readonly id: Int64 }> = { plural: "", headings: { id: "ID" } };

/** Adds the command `remove <id...>`, with the aliases `delete` and `rm`. On a terminal, it asks for confirmation first. */
export function addRemove(group: Command, of: string, description: string, remove: Removal["remove"]): void {
  const examples = [1, "1 2 --yes"].map((words) => `petstore ${group.name()} remove ${words}`);
  addRemoval(group, "remove", { of, description, examples, verb: "Remove", done: "removed", remove });
}
