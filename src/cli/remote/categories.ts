import type { Command } from "commander";
import type { Category, Int64 } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { addExamples } from "../examples.ts";
import { printOutcome } from "../terminal/output.ts";
import { int64 } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

const format: TableFormat<Category> = {
  plural: "categories",
  headings: { id: "ID", name: "NAME", description: "DESCRIPTION" },
};

/** `petstore categories list|show|add|update|remove` */
export function addCategoryCommands(program: Command): void {
  const group = program
    .command("categories")
    .description("list, show, add, change and remove categories of animals");
  addExamples(group, "petstore categories list", "petstore categories add Cats");
  addList(group);
  addShow(group);
  addAdd(group);
  addUpdate(group);
  addRemove(group);
}

function addList(group: Command): void {
  const command = group.command("list").description("list categories, newest first");
  addListOptions(command).action((options: ListOptions) =>
    printList(options, format, ({ categories }, paging) => categories.list(paging)),
  );
  addExamples(command, "petstore categories list", "petstore categories list --all --json");
}

function addShow(group: Command): void {
  const command = group
    .command("show")
    .description("show one category")
    .argument("<id>", "identifier of the category", int64)
    .option("--json", "print the category as JSON");
  addRemoteOptions(command).action((id: Int64, options: RemoteOptions) =>
    printItem(options, format, ({ categories }) => categories.get(id)),
  );
  addExamples(command, "petstore categories show 1");
}

function addAdd(group: Command): void {
  const command = group
    .command("add")
    .description("add a category; animals refer to it by its identifier")
    .argument("<name>", "name of the category")
    .option("--description <text>", "which animals belong to it")
    .option("--json", "print the category as JSON");
  addRemoteOptions(command).action((name: string, options: RemoteOptions & { description?: string }) => {
    const { description } = options;
    return printItem(options, format, ({ categories }) => categories.create({ name, description }));
  });
  addExamples(command, 'petstore categories add Cats --description "Purring animals"');
}

interface UpdateOptions extends RemoteOptions {
  readonly name?: string;
  /** `false` for `--no-description`. */
  readonly description?: string | false;
}

function addUpdate(group: Command): void {
  const command = group
    .command("update")
    .description("change a category; members without a flag stay as they are")
    .argument("<id>", "identifier of the category", int64)
    .option("--name <name>", "new name")
    .option("--description <text>", "new description")
    .option("--no-description", "remove the description")
    .option("--json", "print the category as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: UpdateOptions) => {
    const { name } = options;
    const description = options.description === false ? null : options.description;
    if (name === undefined && description === undefined)
      throw new ConfigError("There is nothing to change. Set --name, --description or --no-description.");
    await printItem(options, format, ({ categories }) => categories.update(id, { name, description }));
  });
  addExamples(
    command,
    "petstore categories update 1 --name Felines",
    "petstore categories update 1 --no-description",
  );
}

function addRemove(group: Command): void {
  const command = group
    .command("remove")
    .alias("delete")
    .description("remove a category that no animal is in")
    .argument("<id>", "identifier of the category", int64)
    .option("--json", "print its identifier as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: RemoteOptions) => {
    await withClient(options, ({ categories }) => categories.delete(id));
    printOutcome(options, { id }, `Category ${id} is removed.`);
  });
  addExamples(command, "petstore categories remove 1");
}
