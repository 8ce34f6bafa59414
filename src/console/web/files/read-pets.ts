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
import { type Dialect, detectDialect } from "../../../pet-files/dialect.ts";
import { detectEncoding } from "../../../pet-files/encoding.ts";
import { formatOf } from "../../../pet-files/file-format.ts";
import { type CheckedPet, type ParsedPet, parsePets, readRecords } from "../../../pet-files/parse-pets.ts";
import { readChunks } from "../../../pet-files/read-chunks.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { everyPage } from "../request.ts";
import type { ReadableFile, Usual } from "./import-state.ts";
import { guessLayout, type Layout } from "./layout.ts";

/** Bytes that are read to detect the format. The first line of a valid file is shorter. */
const HEAD_BYTES = 100_000;
/** Number of records from which the number of columns is determined, if a file has no headings. */
const RECORDS_MAX = 50;

/** Reason to refuse a line without a category. */
export const NO_CATEGORY = "has no category";

export function readCategoryNumbers(signal: AbortSignal): Promise<CategoryNumbers> {
  return categoryNumbers(everyPage<Category>("/categories", {}, signal));
}

/** @param given what a person has chosen */
export async function readDialect(
  file: File,
  stop: AbortSignal,
  given: Partial<Pick<Dialect, "encoding" | "separator">> = {},
): Promise<Dialect> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const { encoding, separator } = given;
  const detected =
    encoding === undefined
      ? await detectEncoding(() => chunksOf(file, stop), navigator.language)
      : { encoding, isSure: true };
  return detectDialect(head, detected, { format: formatOf(file.name), separator });
}

export function chunksOf(file: File, stop = new AbortController().signal): AsyncGenerator<Uint8Array> {
  return readChunks(file.stream(), stop);
}

/**
 * The columns of a CSV file; undefined for an empty one, and for JSON.
 *
 * @param last columns as a person has chosen them, valid until the first line changes
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
 * The animals of a file, in order, or reasons for refused lines.
 *
 * @param create called with each name that no category has, until the category is created
 */
export async function* readPets(
  { file, dialect, layout, categories, usual }: ReadableFile,
  stop: AbortSignal,
  create: (name: string) => Resolved | Promise<Resolved>,
): AsyncGenerator<ParsedPet, void, void> {
  const { first = [], targets = [], isHead = false } = layout ?? {};
  // Without headings, a line may have fewer cells than others.
  const columns = { first: isHead ? first : first.map(() => ""), targets, isRecord: !isHead };
  const known = new Map(categories ?? (await readCategoryNumbers(stop)));
  yield* parsePets(chunksOf(file, stop), dialect, {
    columnsOf: () => columns,
    async resolve(text): Promise<Resolved> {
      const found = resolveCategory(text, known);
      if (!("missing" in found && found.missing)) return found;
      const created = await create(found.missing);
      if ("id" in created) known.set(categoryKey(text), [created.id]);
      return created;
    },
    check: (members) => checkPet(members, usual),
  });
}

/** A value for each member: one that is added to animals does not compile until it is read. */
type Values = Readonly<Record<keyof NewPet, unknown>>;

/** Validates what people often get wrong. The service validates the rest. */
function checkPet(members: Partial<NewPet>, usual: Usual): CheckedPet {
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
  if (status === undefined || statusOf(String(status)) === status) return { pet };
  return {
    refusal: `"${String(status).slice(0, 100)}" isn't a status: use available, pending or sold.`,
    members: pet,
  };
}
