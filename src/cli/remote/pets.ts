import { type Command, Option } from "commander";
import type { Int64 } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { PET_STATUSES, type Pet, type PetStatus } from "../../pets/contract.ts";
import { addExamples } from "../examples.ts";
import type { NewPet } from "../pet-files/csv-columns.ts";
import { printOutcome } from "../terminal/output.ts";
import type { Colour } from "../terminal/table.ts";
import { int64, int64List } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

/** `petstore pets list|add|update|remove` */
export function addPetCommands(pets: Command): void {
  addList(pets);
  addAdd(pets);
  addUpdate(pets);
  addRemove(pets);
}

const STATUS_COLOURS: Record<PetStatus, Colour> = { available: "green", pending: "yellow", sold: "faint" };

const format: TableFormat<Pet> = {
  plural: "animals",
  headings: { id: "ID", name: "NAME", categoryId: "CATEGORY", status: "STATUS" },
  cells: { status: (status) => ({ text: status, colour: STATUS_COLOURS[status] }) },
};

interface FilterOptions extends ListOptions {
  readonly status?: PetStatus;
  readonly category?: Int64;
  readonly id?: readonly Int64[];
}

function addList(pets: Command): void {
  const command = pets
    .command("list")
    .description("list animals, newest first")
    .addOption(new Option("--status <status>", "only animals with this status").choices(PET_STATUSES))
    .option("--category <id>", "only animals of this category", int64)
    .option("--id <ids>", "only animals with these identifiers, separated by commas", int64List);
  addListOptions(command).action((options: FilterOptions) => {
    const { status, category: categoryId, id: ids } = options;
    return printList(options, format, ({ pets }, paging) =>
      pets.list({ status, categoryId, ids, ...paging }),
    );
  });
  addExamples(
    command,
    "petstore pets list --status available",
    "petstore pets list --id 1,2 --json",
    "petstore pets list --category 1 --all --environment staging",
  );
}

/** Every member of an animal has a flag: one that is missing here does not compile. */
type FlagValues = Readonly<Record<keyof NewPet, unknown>>;

function addAdd(pets: Command): void {
  const command = pets
    .command("add")
    .description("add an animal; exit code 0 means that it is on disk")
    .argument("<name>", "name of the animal")
    .requiredOption("--category <id>", "category that it belongs to; it need not exist", int64)
    .addOption(
      new Option("--status <status>", "availability of the animal (default: none)").choices(PET_STATUSES),
    )
    .option("--json", "print the animal as JSON");
  addRemoteOptions(command).action(
    (name: string, options: RemoteOptions & { category: Int64; status?: PetStatus }) => {
      const { category: categoryId, status } = options;
      const newPet = { name, categoryId, status } satisfies FlagValues;
      return printItem(options, format, ({ pets }) => pets.create(newPet));
    },
  );
  addExamples(command, "petstore pets add Fluffy --category 1 --status available");
}

interface UpdateOptions extends RemoteOptions {
  readonly name?: string;
  readonly category?: Int64;
  readonly status?: PetStatus | "none";
}

function addUpdate(pets: Command): void {
  const command = pets
    .command("update")
    .description("change an animal; members without a flag stay as they are")
    .argument("<id>", "identifier of the animal", int64)
    .option("--name <name>", "new name")
    .option("--category <id>", "new category", int64)
    .addOption(
      new Option("--status <status>", "new availability; none removes it").choices([...PET_STATUSES, "none"]),
    )
    .option("--json", "print the animal as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: UpdateOptions) => {
    const { name, category: categoryId } = options;
    const status = options.status === "none" ? null : options.status;
    const patch = { name, categoryId, status } satisfies FlagValues;
    if (Object.values(patch).every((value) => value === undefined))
      throw new ConfigError("There is nothing to change. Set --name, --category or --status.");
    await printItem(options, format, ({ pets }) => pets.update(id, patch));
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
    .argument("<id>", "identifier of the animal", int64)
    .option("--json", "print its identifier as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: RemoteOptions) => {
    await withClient(options, ({ pets }) => pets.delete(id));
    printOutcome(options, { id }, `Animal ${id} is removed.`);
  });
  addExamples(command, "petstore pets remove 1");
}
