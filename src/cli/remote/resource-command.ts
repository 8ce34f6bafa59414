import { type Command, Option } from "commander";
import type { ChangeOptions, Client, Int64 } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { printOutcome } from "../terminal/output.ts";
import { entityTag, int64 } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";
import { printWithTag, type TableFormat } from "./table-format.ts";

interface ResourceCommand<Options> {
  /** The resource that the identifier names: `animal`. */
  readonly of: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (id: Int64, options: Options) => Promise<void>;
}

/** Adds a command for one resource, which its identifier names, and returns it. */
export function addResourceCommand<Options extends RemoteOptions>(
  group: Command,
  name: string,
  { of, description, options = [], examples, run }: ResourceCommand<Options>,
): Command {
  const command = group
    .command(name)
    .description(description)
    .argument("<id>", `identifier of the ${of}`, int64);
  for (const option of options) command.addOption(option);
  command.option("--json", "print JSON");
  addRemoteOptions(command).action(run);
  return addExamples(command, ...examples);
}

export interface ChangeFlags extends RemoteOptions {
  readonly ifMatch?: string;
}

/** Of a command that changes or removes a resource. */
export function ifMatchOption(): Option {
  return new Option("--if-match <etag>", "only while it has this ETag, which show prints").argParser(
    entityTag,
  );
}

/** `show <id>` */
export function addShow<Item extends object>(
  group: Command,
  of: string,
  format: TableFormat<Item>,
  read: (client: Client, id: Int64) => Promise<Item>,
): void {
  addResourceCommand(group, "show", {
    of,
    description: `show one ${of}, with its ETag`,
    examples: [`petstore ${group.name()} show 1`],
    run: (id, options: RemoteOptions) => printWithTag(options, format, (client) => read(client, id)),
  });
}

/** `remove <id>`, also `delete <id>` */
export function addRemove(
  group: Command,
  of: string,
  description: string,
  remove: (client: Client, id: Int64, change: ChangeOptions) => Promise<void>,
): void {
  addResourceCommand(group, "remove", {
    of,
    description,
    options: [ifMatchOption()],
    examples: [`petstore ${group.name()} remove 1`],
    async run(id, { ifMatch, ...options }: ChangeFlags) {
      await withClient(options, (client) => remove(client, id, { ifMatch }));
      printOutcome(options, { id }, `${of.charAt(0).toUpperCase()}${of.slice(1)} ${id} is removed.`);
    },
  }).alias("delete");
}
