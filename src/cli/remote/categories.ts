import type { Command } from "commander";
import type { Category } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { addRemoteOptions, type RemoteOptions, withStore } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

const categories: TableFormat<Category> = {
  plural: "categories",
  headings: ["ID", "NAME", "DESCRIPTION"],
  row: ({ id, name, description = "" }) => [String(id), name, description],
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
    await withStore(options, (client) =>
      printList(options, categories, (paging) => client.categories.list(paging)),
    );
  });
  addExamples(command, "petstore categories list", "petstore categories list --all --json");
}

function addAdd(group: Command): void {
  const command = group
    .command("add")
    .description("add a category; its identifier is what animals refer to")
    .argument("<name>", "what it is called")
    .option("--description <text>", "what belongs in it")
    .option("--json", "print the category as JSON");
  addRemoteOptions(command).action(
    async (name: string, options: RemoteOptions & { description?: string; json?: true }) => {
      const { description } = options;
      const category = await withStore(options, (client) => client.categories.create({ name, description }));
      printItem(options, categories, category);
    },
  );
  addExamples(command, 'petstore categories add Cats --description "Purring animals"');
}
