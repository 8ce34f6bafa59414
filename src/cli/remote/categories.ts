import type { Command } from "commander";
import type { Category } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { addRemoteOptions, type RemoteOptions } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

const format: TableFormat<Category> = {
  plural: "categories",
  headings: { id: "ID", name: "NAME", description: "DESCRIPTION" },
};

/** `petstore categories list|add` */
export function addCategoryCommands(program: Command): void {
  const group = program.command("categories").description("list and add categories of animals");
  addExamples(group, "petstore categories list", "petstore categories add Cats");

  const list = group.command("list").description("list categories, newest first");
  addListOptions(list).action((options: ListOptions) =>
    printList(options, format, ({ categories }, paging) => categories.list(paging)),
  );
  addExamples(list, "petstore categories list", "petstore categories list --all --json");

  const add = group
    .command("add")
    .description("add a category; animals refer to it by its identifier")
    .argument("<name>", "name of the category")
    .option("--description <text>", "which animals belong to it")
    .option("--json", "print the category as JSON");
  addRemoteOptions(add).action((name: string, options: RemoteOptions & { description?: string }) => {
    const { description } = options;
    return printItem(options, format, ({ categories }) => categories.create({ name, description }));
  });
  addExamples(add, 'petstore categories add Cats --description "Purring animals"');
}
