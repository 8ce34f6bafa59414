import type { Command } from "commander";
import type { Category } from "../../client/client.ts";
import { addExamples } from "../examples.ts";
import { addShopOptions, type ShopOptions, withStore } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type Shape } from "./items.ts";

const categories: Shape<Category> = {
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
  addShopOptions(addListOptions(command)).action(async (options: ListOptions & ShopOptions) => {
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
  addShopOptions(command).action(
    async (name: string, options: ShopOptions & { description?: string; json?: true }) => {
      const { description } = options;
      const category = await withStore(options, (client) => client.categories.create({ name, description }));
      printItem(options, categories, category);
    },
  );
  addExamples(command, 'petstore categories add Cats --description "Purring animals"');
}
