import { type Int64, parseInt64 } from "../../../../client/src/int64.ts";
import type { Category } from "../../../categories/contract.ts";
import { detectFormat, type FileFormat, formatOf } from "../../../pet-files/file-format.ts";
import type { NewPet } from "../../../pet-files/new-pet.ts";
import { type CheckedPet, type ParsedPet, parsePets, readRecords } from "../../../pet-files/parse-pets.ts";
import { readChunks } from "../../../pet-files/read-chunks.ts";
import { guessLayout, type Layout, membersOf } from "./columns.ts";
import { everyPage } from "./every-page.ts";

/** The numbers of the categories with a name, in lower case. */
export type CategoryNumbers = ReadonlyMap<string, readonly Int64[]>;

export async function readCategoryNumbers(signal: AbortSignal): Promise<CategoryNumbers> {
  const numbers = new Map<string, Int64[]>();
  for await (const categories of everyPage<Category>("/categories", {}, signal)) {
    for (const { id, name } of categories) {
      const key = name.trim().toLowerCase();
      numbers.set(key, [...(numbers.get(key) ?? []), id]);
    }
  }
  return numbers;
}

export async function formatOfFile(file: File): Promise<FileFormat> {
  return formatOf(file.name) ?? detectFormat(new Uint8Array(await file.slice(0, 100).arrayBuffer()));
}

export function chunksOf(file: File, stop = new AbortController().signal): AsyncGenerator<Uint8Array> {
  return readChunks(file.stream(), stop);
}

/** The columns of a CSV file; none for an empty one, and for JSON Lines. */
export async function readLayout(file: File): Promise<Layout | undefined> {
  if ((await formatOfFile(file)) !== "csv") return undefined;
  const records: (readonly string[])[] = [];
  for await (const { cells } of readRecords(chunksOf(file))) {
    records.push(cells);
    if (records.length === 2) break;
  }
  const [first, second] = records;
  return first && guessLayout(first, second);
}

interface ReadableFile {
  readonly file: File;
  readonly layout: Layout | undefined;
  readonly categories: CategoryNumbers;
}

/** The animals of a file in its order, or why a line is refused. The service checks what is not checked here. */
export async function* readPets(
  { file, layout, categories }: ReadableFile,
  stop: AbortSignal,
): AsyncGenerator<ParsedPet, void, void> {
  const columns = layout && {
    count: layout.first.length,
    isRecord: !layout.isHead,
    membersOf: (cells: readonly string[]) => membersOf(layout, cells),
  };
  yield* parsePets(chunksOf(file, stop), await formatOfFile(file), {
    columnsOf: () => columns ?? { count: 0, membersOf: () => ({}) },
    check: (members) => petOf(members, categories),
  });
}

function petOf(members: object, categories: CategoryNumbers): CheckedPet {
  const { name, categoryId, status } = members as Readonly<Partial<Record<keyof NewPet, unknown>>>;
  const [number, ...others] =
    typeof categoryId === "string" ? numbersOf(categoryId, categories) : [categoryId];
  if (number === undefined && categoryId !== undefined)
    return { refusal: `names the category "${categoryId}", which does not exist` };
  if (others.length > 0)
    return { refusal: `names the category "${categoryId}", but several have this name: give its number` };
  // The service holds it to the contract, in the words of the command line.
  return { pet: { name, categoryId: number, status } as NewPet };
}

/** A category by its number, which need not exist, or by its name. */
function numbersOf(text: string, categories: CategoryNumbers): readonly Int64[] {
  const number = parseInt64(text);
  return number === undefined ? (categories.get(text.toLowerCase()) ?? []) : [number];
}
