import { Option } from "commander";
import type { Category, Int64 } from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { CATEGORY_SPREADSHEET } from "../../pet-files/spreadsheet.ts";
import { writeCsv } from "../../pet-files/write-csv.ts";
import type { Command } from "../command.ts";
import type { TableFormat } from "../terminal/output-formats.ts";
import { int64 } from "./argument-parsers.ts";
import { addPrintedOptions, type RemoteOptions } from "./connection.ts";
import { addExport } from "./export.ts";
import { addListOptions, type ListOptions, printItem, printList } from "./print-resources.ts";
import {
  addRemove,
  addResourceCommand,
  addShow,
  type ChangeFlags,
  ifMatchOption,
} from "./resource-command.ts";

const format: TableFormat<Category> = {
  plural: "categories",
  headings: { id: "ID", name: "NAME", description: "DESCRIPTION", createdAt: "CREATED" },
};

const CSV_MEMBERS = ["id", "name", "description", "createdAt"] as const;

export function addCommands(program: Command): void {
  const group = program
    .command("categories")
    .description("list, add, change and remove categories of animals")
    .addExamples("petstore categories list", "petstore categories add Cats");
  addList(group);
  addExport<Category, object>(group, {
    of: ["category", "categories"],
    description: "export categories to a file, highest identifier first",
    filters: [],
    safe: "put ' before any text that a spreadsheet would run as a formula",
    examples: ["petstore categories export categories.csv --safe"],
    csv: {
      head: writeCsv(CSV_MEMBERS),
      line: (category) => writeCsv(CSV_MEMBERS.map((member) => String(category[member] ?? ""))),
    },
    spreadsheet: async () => CATEGORY_SPREADSHEET,
    list: ({ categories }, _, paging, call) => categories.list(paging, call),
  });
  addShow(group, "category", format, ({ categories }, id) => categories.get(id));
  addAdd(group);
  addUpdate(group);
  addRemove(group, "category", "remove a category that contains no animals", ({ categories }, id, change) =>
    categories.delete(id, change),
  );
}

function addList(group: Command) {
  const command = group
    .command("list")
    .description("list categories, highest identifier first")
    .addExamples("petstore categories list", "petstore categories list --all --json");
  addListOptions(command).action((options: ListOptions) =>
    printList(options, format, ({ categories }, paging) => categories.list(paging)),
  );
}

function addAdd(group: Command) {
  const command = group
    .command("add")
    .description(
      "add a category; with --id, you choose its identifier, for example an identifier that animals already refer to",
    )
    .argument("<name>", "name of the category")
    .option("--description <text>", "description of the animals in the category")
    .addOption(
      new Option(
        "--id <number>",
        "identifier of the category, even one that animals already refer to (default: a new identifier)",
      ).argParser(int64),
    )
    .addExamples(
      'petstore categories add Cats --description "Purring animals"',
      "petstore categories add Fish --id 2",
    );
  addPrintedOptions(command).action((name: string, { id, description, ...options }: AddOptions) =>
    printItem(options, format, ({ categories }) => categories.create({ id, name, description })),
  );
}

interface AddOptions extends RemoteOptions {
  readonly id?: Int64;
  readonly description?: string;
}

interface UpdateOptions extends ChangeFlags {
  readonly name?: string;
  /** The new description, or `false` for `--no-description`, which removes the description. */
  readonly description?: string | false;
}

function addUpdate(group: Command) {
  addResourceCommand(group, "update", {
    of: "category",
    description: "change a category; options that you leave out change nothing",
    options: [
      new Option("--name <name>", "new name"),
      new Option("--description <text>", "new description"),
      new Option("--no-description", "remove the description"),
      ifMatchOption(),
    ],
    examples: [
      "petstore categories update 1 --name Felines",
      "petstore categories update 1 --no-description",
    ],
    async run(id, { name, ifMatch, ...options }: UpdateOptions) {
      const description = options.description === false ? null : options.description;
      if (name === undefined && description === undefined)
        throw new ConfigError("There is nothing to change. Set --name, --description or --no-description.");
      const patch = { name, description };
      await printItem(options, format, ({ categories }) => categories.update(id, patch, { ifMatch }));
    },
  });
}
