import { Option } from "commander";
import type { Client, Int64, Inventory } from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { SCANNED_MAX } from "../../limits.ts";
import { type NewPet, PET_STATUSES, type Pet, type PetStatus } from "../../pets/contract.ts";
import type { Command } from "../command.ts";
import type { TableFormat } from "../terminal/output-formats.ts";
import { startProgress } from "../terminal/progress.ts";
import type { Colour } from "../terminal/table.ts";
import { idOption, int64List, namesOption, textList } from "./argument-parsers.ts";
import { categoryOption, type GivenCategory, numberOf, pagesIn } from "./category-option.ts";
import { addPrintedOptions, type RemoteOptions } from "./connection.ts";
import { addExportCommand } from "./export.ts";
import { addImportCommand } from "./import.ts";
import { addListOptions, type ListOptions, printItem, printList } from "./print-resources.ts";
import {
  addRemove,
  addResourceCommand,
  addShow,
  type ChangeFlags,
  ifMatchOption,
} from "./resource-command.ts";
import { hasStatusOption, type StatusFlags, statusFilterOf, statusOption } from "./status-option.ts";

export function addCommands(program: Command): void {
  const pets = program
    .command("pets")
    .description("list, add, change, import and export animals")
    .addExamples("petstore pets list", "petstore pets add Fluffy --category 1");
  addList(pets);
  addInventory(pets);
  addShow(pets, "animal", format, findPet);
  addAdd(pets);
  addUpdate(pets);
  addRemove(pets, "animal", "remove an animal that has no open order", ({ pets }, id, change) =>
    pets.delete(id, change),
  );
  addImportCommand(pets);
  addExportCommand(pets);
}

const STATUS_COLOURS: Record<PetStatus, Colour> = { available: "green", pending: "yellow", sold: "faint" };

const format: TableFormat<Pet> = {
  plural: "animals",
  headings: { id: "ID", name: "NAME", categoryId: "CATEGORY", status: "STATUS", externalId: "OWN NUMBER" },
  optional: "externalId",
  cells: { status: (status) => ({ text: status, colour: STATUS_COLOURS[status] }) },
};

interface FilterOptions extends ListOptions, StatusFlags {
  readonly category?: GivenCategory;
  readonly name?: string;
  readonly id?: readonly Int64[];
  readonly externalId?: readonly string[];
}

function addList(pets: Command) {
  const command = pets
    .command("list")
    .description("list animals, newest first")
    .addOption(statusOption())
    .addOption(hasStatusOption())
    .addOption(categoryOption("include only animals of this category"))
    .addOption(namesOption())
    .addOption(
      idOption("--id <ids>", "include only animals with these identifiers, separated by commas").argParser(
        int64List,
      ),
    )
    .addOption(
      new Option(
        "--external-id <numbers>",
        "include only animals with these values of externalId (your own numbers for them), separated by commas",
      ).argParser(textList),
    )
    .addExamples(
      "petstore pets list --status available",
      "petstore pets list --status none",
      "petstore pets list --name flu",
      "petstore pets list --id 1,2 --json",
      "petstore pets list --external-id A-1001,A-1002",
      "petstore pets list --category 1 --all --environment staging",
    );
  addListOptions(command).action((options: FilterOptions) => {
    const { category, name, id: ids, externalId: externalIds } = options;
    return printList(options, format, (client, paging) => {
      const listIn = (categoryId: Int64 | undefined) =>
        client.pets.list({ ...statusFilterOf(options), categoryId, name, ids, externalIds, ...paging });
      const pages = () => pagesIn(client, category, listIn);
      return { pages: () => (name === undefined ? pages() : withProgress(pages())) };
    });
  });
}

const inventoryFormat: TableFormat<Inventory> = {
  plural: "counts",
  headings: { available: "AVAILABLE", pending: "PENDING", sold: "SOLD", withoutStatus: "NO STATUS" },
};

function addInventory(pets: Command) {
  const command = pets
    .command("inventory")
    .description("count the animals with each status, and those without a status")
    .addExamples("petstore pets inventory", "petstore pets inventory --json");
  addPrintedOptions(command).action((options: RemoteOptions) =>
    printItem(options, inventoryFormat, ({ pets }) => pets.inventory()),
  );
}

/** Yields the pages of a search, some of which may be empty, and shows the progress on a terminal. */
async function* withProgress<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page, void, undefined> {
  const progress = startProgress("Searching. Animals checked so far:");
  let looked = 0;
  try {
    for await (const page of pages) {
      // The progress line is erased, because the rows of the table are printed in its place.
      progress.end();
      yield page;
      looked += SCANNED_MAX;
      progress.update(looked);
    }
  } finally {
    progress.end();
  }
}

/** The values of a command's flags. There must be a flag for each member of an animal, or the program does not compile. */
type FlagValues = Readonly<Record<keyof NewPet, unknown>>;

interface AddOptions {
  readonly category: GivenCategory;
  readonly status?: PetStatus;
  readonly externalId?: string;
}

function addAdd(pets: Command) {
  const command = pets
    .command("add")
    .description("add an animal; exit code 0 means that the animal is stored on disk")
    .argument("<name>", "name of the animal")
    .addOption(
      categoryOption(
        "category of the animal, which does not have to exist yet if you give its identifier",
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option("--status <status>", "status of the animal (default: no status)").choices(PET_STATUSES),
    )
    .option(
      "--external-id <number>",
      "your own number for the animal (externalId); no other animal can have the same number",
    )
    .addExamples(
      "petstore pets add Fluffy --category 1 --status available",
      "petstore pets add Nemo --category 5 --external-id A-1001",
    );
  addPrintedOptions(command).action((name: string, options: RemoteOptions & AddOptions) => {
    const { category, status, externalId } = options;
    return printItem(options, format, async (client) => {
      const categoryId = await numberOf(client, category);
      return client.pets.create({ name, categoryId, status, externalId } satisfies FlagValues);
    });
  });
}

interface UpdateOptions extends ChangeFlags {
  readonly name?: string;
  readonly category?: GivenCategory;
  readonly status?: PetStatus | "none";
  readonly externalId?: string;
}

function addUpdate(pets: Command) {
  addResourceCommand(pets, "update", {
    of: "animal",
    description: "change an animal; options that you leave out change nothing",
    options: [
      new Option("--name <name>", "new name"),
      categoryOption("new category"),
      new Option("--status <status>", "new status of the animal; none removes the status").choices([
        ...PET_STATUSES,
        "none",
      ]),
      new Option(
        "--external-id <number>",
        "your own number for the animal (externalId); an empty text removes the number",
      ),
      ifMatchOption(),
    ],
    examples: [
      "petstore pets update 1 --status sold",
      'petstore pets update 1 --name "Fluffy the Second" --status none',
    ],
    async run(id, { name, category, ifMatch, ...options }: UpdateOptions) {
      const status = options.status === "none" ? null : options.status;
      const externalId = options.externalId === "" ? null : options.externalId;
      if ([name, category, status, externalId].every((value) => value === undefined))
        throw new ConfigError(
          "There is nothing to change. Set --name, --category, --status or --external-id.",
        );
      await printItem(options, format, async (client) => {
        const categoryId = category === undefined ? undefined : await numberOf(client, category);
        const patch = { name, categoryId, status, externalId } satisfies FlagValues;
        return client.pets.update(id, patch, { ifMatch });
      });
    },
  });
}

async function findPet({ pets }: Client, id: Int64): Promise<Pet> {
  for await (const pet of pets.list({ ids: [id] })) return pet;
  throw new Error(`There is no animal ${id}.`);
}
