import { parseInt64 } from "exact-json/int64";
import type { Category } from "../../../categories/contract.ts";
import { lengthProblem, NAME_LENGTH_MAX } from "../../../contract/text-length.ts";
import {
  type CategoryNumbers,
  categoryKey,
  categoryNumbers,
  type Resolved,
  resolveCategory,
} from "../../../pet-files/categories.ts";
import { statusOf } from "../../../pet-files/cells.ts";
import type { ParsedRow, PetRow } from "../../../pet-files/compare-pets.ts";
import { type Dialect, detectDialect } from "../../../pet-files/dialect.ts";
import { detectEncoding } from "../../../pet-files/encoding.ts";
import { formatOf } from "../../../pet-files/file-format.ts";
import {
  type CheckedPet,
  type ParsedPet,
  type PetReader,
  parsePets,
  type Refusal,
  readRecords,
} from "../../../pet-files/parse-pets.ts";
import { readChunks } from "../../../pet-files/read-chunks.ts";
import { UnreadableFileError } from "../../../pet-files/read-lines.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { everyPage } from "../every-page.ts";

import type { ReadableFile, Usual } from "./import-state.ts";
import { guessLayout, type Layout } from "./layout.ts";

/** Number of bytes that are read to detect the format. The first line of a valid file is shorter. */
const HEAD_BYTES = 100_000;
/** Number of records that are read to determine the number of columns if a file has no headings. */
const RECORDS_MAX = 50;

export const NO_CATEGORY = "has no category";

export function readCategoryNumbers(signal: AbortSignal): Promise<CategoryNumbers> {
  return categoryNumbers(everyPage<Category>("/categories", {}, signal));
}

export async function readDialect(
  file: File,
  stop: AbortSignal,
  given: Partial<Pick<Dialect, "encoding" | "separator">> = {},
): Promise<Dialect> {
  const parts = await Array.fromAsync(chunksOf(file.slice(0, HEAD_BYTES), stop));
  const head = new Uint8Array(await new Blob(parts).arrayBuffer());
  const { encoding, separator } = given;
  const detected =
    encoding === undefined
      ? await detectEncoding(() => chunksOf(file, stop), navigator.language)
      : { encoding, isSure: true };
  return detectDialect(head, detected, { format: formatOf(file.name), separator });
}

/** Reads the bytes of a file. @throws UnreadableFileError, for example if somebody has changed or removed the file */
export async function* chunksOf(
  file: Blob,
  stop = new AbortController().signal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  try {
    yield* readChunks(file.stream(), stop);
  } catch (cause) {
    throw new UnreadableFileError(
      "The browser can't read this file. If it was changed, moved or removed, choose it again. Otherwise, check that it is a file, and that you may open it.",
      { cause },
    );
  }
}

/**
 * Returns the columns of a CSV file, or undefined for JSON and for an empty file.
 *
 * @param last the columns that the person has chosen; they are used as long as the first line of the file is the same
 */
export async function readLayout(file: File, dialect: Dialect, last?: Layout): Promise<Layout | undefined> {
  if (dialect.format !== "csv") return undefined;
  const records: (readonly string[])[] = [];
  for await (const { cells } of readRecords(chunksOf(file), dialect)) {
    records.push(cells);
    if (records.length === RECORDS_MAX) break;
  }
  if (records.length === 0) return undefined;
  const layout = guessLayout(records);
  return last?.first.join("\n") === layout.first.join("\n") ? last : layout;
}

/**
 * Yields the animals of a file in order, and the reason for each line that is refused.
 *
 * @param create creates a category with the given name; it is called for each line whose category does not exist yet
 */
export async function* readPets(
  readable: ReadableFile,
  stop: AbortSignal,
  create: CreateCategory,
): AsyncGenerator<ParsedPet, void, void> {
  const reader = await readerOf(readable, stop, create);
  const { targets, ...columns } = reader.columnsOf();
  // A new animal gets a new identifier, so the identifier in the file is not read.
  const added = { ...columns, targets: targets.map((target) => (target === "id" ? "" : target)) };
  yield* parsePets(chunksOf(readable.file, stop), readable.dialect, {
    ...reader,
    columnsOf: () => added,
    check: (members) => checkNewPet(members, readable.usual),
  });
}

/**
 * Reads the values of each line of a file whose import may change animals.
 *
 * @param create creates a category with the given name, as for `readPets`
 */
export async function* readRows(
  readable: ReadableFile,
  stop: AbortSignal,
  create: CreateCategory,
): AsyncGenerator<ParsedRow, void, void> {
  const reader = await readerOf(readable, stop, create);
  yield* parsePets(chunksOf(readable.file, stop), readable.dialect, {
    ...reader,
    isUpdate: true,
    check: checkRow,
  });
}

type CreateCategory = (name: string) => Resolved | Promise<Resolved>;

async function readerOf({ layout, categories }: ReadableFile, stop: AbortSignal, create: CreateCategory) {
  const { first = [], targets = [], isHead = false } = layout ?? {};
  // In a file without headings, some lines may have fewer cells than others.
  const columns = { first: isHead ? first : first.map(() => ""), targets, isRecord: !isHead };
  const known = new Map(categories ?? (await readCategoryNumbers(stop)));
  return {
    columnsOf: () => columns,
    async resolve(text: string): Promise<Resolved> {
      const found = resolveCategory(text, known);
      if (!("missing" in found && found.missing)) return found;
      const created = await create(found.missing);
      if ("id" in created) known.set(categoryKey(text), [created.id]);
      return created;
    },
  } satisfies Omit<PetReader, "check">;
}

/**
 * A value for each member of a new animal. If a member is added to `NewPet`, the program does not compile until the member is
 * read, too.
 */
type Values = Readonly<Record<keyof NewPet, unknown>>;

/** Checks values that people often enter incorrectly. The service validates the other values. */
export function checkNewPet(members: Partial<NewPet>, usual: Usual): CheckedPet {
  const {
    name,
    categoryId = parseInt64(usual.categoryId),
    status = usual.status || undefined,
    externalId,
  } = members;
  const pet = { name, categoryId, status, externalId } satisfies Values as NewPet;
  if (typeof name !== "string") return { refusal: "has no name", members: pet };
  const tooLong = lengthProblem(name, NAME_LENGTH_MAX);
  if (tooLong !== undefined) return { refusal: `name ${tooLong}.`, members: pet };
  if (categoryId === undefined) return { refusal: NO_CATEGORY, members: pet };
  const wrong = statusProblem(status);
  return wrong === undefined ? { pet } : { refusal: wrong, members: pet };
}

function statusProblem(status: unknown): string | undefined {
  if (status === undefined || status === null || statusOf(String(status)) === status) return undefined;
  return `"${String(status).slice(0, 100)}" isn't a status: use available, pending or sold.`;
}

/** Checks the numbers that are used to look up an animal, and values that people often enter incorrectly. */
function checkRow(members: PetRow): { readonly row: PetRow } | Refusal {
  const { id, name, status, externalId } = members;
  const problems = [
    id !== undefined && !isPetId(id) && `"${id}" isn't the ID of an animal.`,
    typeof name === "string" && lengthSentence("name", name),
    typeof externalId === "string" &&
      (externalId.includes(",")
        ? "Your number for the animal must not contain a comma."
        : lengthSentence("own number", externalId)),
    statusProblem(status),
  ];
  const refusal = problems.find((problem) => typeof problem === "string");
  return refusal === undefined ? { row: members } : { refusal, members };
}

function isPetId(id: PetRow["id"]): boolean {
  return typeof id !== "string" && id !== undefined && id > 0;
}

function lengthSentence(member: string, text: string): string | undefined {
  const problem = lengthProblem(text, NAME_LENGTH_MAX);
  return problem && `${member} ${problem}.`;
}
