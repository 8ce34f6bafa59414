import type { Category } from "../../../categories/contract.ts";
import { type CategoryNumbers, categoryNumbers, resolveCategory } from "../../../pet-files/categories.ts";
import { type Dialect, detectDialect } from "../../../pet-files/dialect.ts";
import { detectEncoding } from "../../../pet-files/encoding.ts";
import { formatOf } from "../../../pet-files/file-format.ts";
import { type ParsedPet, parsePets, readRecords } from "../../../pet-files/parse-pets.ts";
import { readChunks } from "../../../pet-files/read-chunks.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { everyPage } from "../request.ts";
import { guessLayout, type Layout } from "./layout.ts";

/** Bytes for format detection: longer than the first line of any file that an import reads. */
const HEAD_BYTES = 100_000;

export function readCategoryNumbers(signal: AbortSignal): Promise<CategoryNumbers> {
  return categoryNumbers(everyPage<Category>("/categories", {}, signal));
}

export async function readDialect(file: File, stop: AbortSignal): Promise<Dialect> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return detectDialect(head, {
    format: formatOf(file.name),
    encoding: await detectEncoding(chunksOf(file, stop)),
  });
}

export function chunksOf(file: File, stop = new AbortController().signal): AsyncGenerator<Uint8Array> {
  return readChunks(file.stream(), stop);
}

/** The columns of a CSV file; undefined for an empty one, and for JSON. */
export async function readLayout(file: File, dialect: Dialect): Promise<Layout | undefined> {
  if (dialect.format !== "csv") return undefined;
  const records: (readonly string[])[] = [];
  for await (const { cells } of readRecords(chunksOf(file), dialect)) {
    records.push(cells);
    if (records.length === 2) break;
  }
  const [first, second] = records;
  return first && guessLayout(first, second);
}

interface ReadableFile {
  readonly file: File;
  readonly dialect: Dialect;
  readonly layout: Layout | undefined;
  readonly categories: CategoryNumbers;
}

/** The animals of a file, in order, or reasons for refused lines. The service validates the rest. */
export async function* readPets(
  { file, dialect, layout, categories }: ReadableFile,
  stop: AbortSignal,
): AsyncGenerator<ParsedPet, void, void> {
  const columns = { first: [], targets: [], ...layout, isRecord: !layout?.isHead };
  yield* parsePets(chunksOf(file, stop), dialect, {
    columnsOf: () => columns,
    resolve: (text) => resolveCategory(text, categories),
    check(members) {
      // Validated by the service, with the same messages as on the command line.
      const { name, categoryId, status } = members as NewPet;
      return { pet: { name, categoryId, status } };
    },
  });
}
