import { type Command, Option } from "commander";
import type { Int64, Pet, PetStatus } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { PET_STATUSES } from "../../pets/contract.ts";
import { addExamples } from "../examples.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import type { Colour } from "../terminal/table.ts";
import { int64, int64List } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withStore } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

/** `petstore pets list|add|update|remove` */
export function addPetCommands(pets: Command): void {
  addList(pets);
  addAdd(pets);
  addUpdate(pets);
  addRemove(pets);
}

const STATUS_COLOURS: Record<PetStatus, Colour> = { available: "green", pending: "yellow", sold: "faint" };

const animals: TableFormat<Pet> = {
  plural: "animals",
  headings: ["ID", "NAME", "CATEGORY", "STATUS"],
  row: ({ id, name, categoryId, status }) => [
    String(id),
    name,
    String(categoryId),
    status === undefined ? "" : { text: status, colour: STATUS_COLOURS[status] },
  ],
};

interface FilterOptions {
  readonly status?: PetStatus;
  readonly category?: Int64;
  readonly id?: readonly Int64[];
}

function addList(pets: Command): void {
  const command = pets
    .command("list")
    .description("list animals, newest first")
    .addOption(new Option("--status <status>", "only animals with this one").choices(PET_STATUSES))
    .option("--category <id>", "only animals of this category", int64)
    .option("--id <ids>", "only these, with commas between them", int64List);
  addRemoteOptions(addListOptions(command)).action(
    async (options: FilterOptions & ListOptions & RemoteOptions) => {
      const { status, category: categoryId, id: ids } = options;
      await withStore(options, ({ pets }) =>
        printList(options, animals, (paging) => pets.list({ status, categoryId, ids, ...paging })),
      );
    },
  );
  addExamples(
    command,
    "petstore pets list --status available",
    "petstore pets list --id 1,2 --json",
    "petstore pets list --category 1 --all --environment staging",
  );
}

interface ChangeOptions extends RemoteOptions {
  readonly json?: true;
}

function addAdd(pets: Command): void {
  const command = pets
    .command("add")
    .description("add an animal; when this ends well it is on disk")
    .argument("<name>", "what it is called")
    .requiredOption("--category <id>", "the category it belongs to; it need not exist", int64)
    .addOption(
      new Option("--status <status>", "its availability (default: it has none)").choices(PET_STATUSES),
    )
    .option("--json", "print the animal as JSON");
  addRemoteOptions(command).action(
    async (name: string, options: ChangeOptions & { category: Int64; status?: PetStatus }) => {
      const { category: categoryId, status } = options;
      const pet = await withStore(options, ({ pets }) => pets.create({ name, categoryId, status }));
      printItem(options, animals, pet);
    },
  );
  addExamples(command, "petstore pets add Fluffy --category 1 --status available");
}

interface UpdateOptions extends ChangeOptions {
  readonly name?: string;
  readonly category?: Int64;
  readonly status?: PetStatus | "none";
}

function addUpdate(pets: Command): void {
  const command = pets
    .command("update")
    .description("change an animal; what is not named stays")
    .argument("<id>", "which animal", int64)
    .option("--name <name>", "another name")
    .option("--category <id>", "another category", int64)
    .addOption(
      new Option("--status <status>", "another availability; none removes it").choices([
        ...PET_STATUSES,
        "none",
      ]),
    )
    .option("--json", "print the animal as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: UpdateOptions) => {
    const { name, category: categoryId } = options;
    const status = options.status === "none" ? null : options.status;
    if (name === undefined && categoryId === undefined && status === undefined)
      throw new ConfigError("Nothing is to be changed: give --name, --category or --status.");
    const pet = await withStore(options, ({ pets }) => pets.update(id, { name, categoryId, status }));
    printItem(options, animals, pet);
  });
  addExamples(
    command,
    "petstore pets update 1 --status sold",
    'petstore pets update 1 --name "Fluffy the Second" --status none',
  );
}

function addRemove(pets: Command): void {
  const command = pets
    .command("remove")
    .description("remove an animal that has no open order")
    .argument("<id>", "which animal", int64)
    .option("--json", "print its identifier as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: ChangeOptions) => {
    await withStore(options, ({ pets }) => pets.delete(id));
    if (options.json) printJson({ id });
    else printStatus(`Animal ${id} is removed.`);
  });
  addExamples(command, "petstore pets remove 1");
}
