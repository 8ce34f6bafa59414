import type { Command } from "commander";
import type { Category } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { addRemoteOptions, type RemoteOptions, withStore } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

const format: TableFormat<Category> = {
  plural: "categories",
  headings: { id: "ID", name: "NAME", description: "DESCRIPTION" },
};

/** `petstore categories list|add` */
export function addCategoryCommands(program: Command): void {
  const group = program.command("categories").description("list and add categories of animals");
  addExamples(group, "petstore categories list", "petstore categories add Cats");
  addList(group);
  addAdd(group);
}

function addList(group: Command): void {
  const command = group.command("list").description("list categories, newest first");
  addRemoteOptions(addListOptions(command)).action(async (options: ListOptions & RemoteOptions) => {
    await withStore(options, ({ categories }) =>
      printList(options, format, (paging) => categories.list(paging)),
    );
  });
  addExamples(command, "petstore categories list", "petstore categories list --all --json");
}

function addAdd(group: Command): void {
  const command = group
    .command("add")
    .description("add a category; animals refer to it by its identifier")
    .argument("<name>", "name of the category")
    .option("--description <text>", "which animals belong to it")
    .option("--json", "print the category as JSON");
  addRemoteOptions(command).action(
    async (name: string, options: RemoteOptions & { description?: string; json?: true }) => {
      const { description } = options;
      const category = await withStore(options, ({ categories }) => categories.create({ name, description }));
      printItem(options, format, category);
    },
  );
  addExamples(command, 'petstore categories add Cats --description "Purring animals"');
}
