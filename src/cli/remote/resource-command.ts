import { Option } from "commander";
import type { ChangeOptions, Client, Int64 } from "../../../client/src/client.ts";
import type { Command } from "../command.ts";
import type { Identified } from "../identifies.ts";
import { printOutcome, type TableFormat } from "../terminal/output-formats.ts";
import { type ConfirmOptions, confirm, yesOption } from "../terminal/prompt.ts";
import { entityTag, idArgument, int64 } from "./argument-parsers.ts";
import { addPrintedOptions, type RemoteOptions, withClient } from "./connection.ts";
import { printWithTags } from "./print-resources.ts";

interface ResourceCommand<Options> {
  /** Kind of resource that the command's argument identifies: `animal`. */
  readonly of: Identified;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (id: Int64, options: Options) => Promise<void>;
}

/** Adds a command for one resource, given by its identifier, and returns it. */
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

/** `--if-match`, of a command that changes or removes a resource. */
export function ifMatchOption(): Option {
  return new Option("--if-match <etag>", "only while it has this ETag, which show prints").argParser(
    entityTag,
  );
}

/** Adds the command `show <id...>`, alias `get`, which prints resources with their ETags. */
export function addShow<Item extends object>(
  group: Command,
  of: Identified,
  format: TableFormat<Item>,
  read: (client: Client, id: Int64) => Promise<Item>,
): void {
  const command = group
    .command("show")
    .description(`show one ${of} or several, with their ETags`)
    .addArgument(
      idArgument(of, `identifiers of the ${format.plural}`, "<id...>").argParser(
        (text, before: readonly Int64[] = []) => [...before, int64(text)],
      ),
    )
    .addExamples(`petstore ${group.name()} show 1`, `petstore ${group.name()} get 1 2 -o jsonl`);
  addPrintedOptions(command).action((ids: readonly Int64[], options: RemoteOptions) =>
    printWithTags(options, format, ids, read),
  );
}

interface Removal {
  /** Kind of resource that the command's argument identifies: `animal`. */
  readonly of: Identified;
  readonly description: string;
  readonly example: string;
  /** Verb of the confirmation on a terminal: `Remove animal 1?` */
  readonly verb: string;
  readonly done: string;
  readonly remove: (client: Client, id: Int64, change: ChangeOptions) => Promise<void>;
}

/** Adds a command that removes one resource, after a confirmation on a terminal. */
export function addRemoval(
  group: Command,
  name: string,
  { of, description, example, verb, done, remove }: Removal,
): void {
  addResourceCommand(group, name, {
    of,
    description,
    options: [ifMatchOption(), yesOption()],
    examples: [example],
    async run(id, { ifMatch, yes, ...options }: ChangeFlags & ConfirmOptions) {
      await confirm(`${verb} ${of} ${id}?`, { yes });
      await withClient(options, (client) => remove(client, id, { ifMatch }));
      printOutcome(options, { id }, `${of.charAt(0).toUpperCase()}${of.slice(1)} ${id} is ${done}.`);
    },
  });
}

/** Adds the command `remove <id>`, aliases `delete` and `rm`, which asks on a terminal. */
export function addRemove(
  group: Command,
  of: Identified,
  description: string,
  remove: Removal["remove"],
): void {
  const example = `petstore ${group.name()} remove 1`;
  addRemoval(group, "remove", { of, description, example, verb: "Remove", done: "removed", remove });
}
