import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { CategoryNumbers } from "../../../pet-files/categories.ts";
import type { Comparison } from "../../../pet-files/compare-pets.ts";
import type { Dialect } from "../../../pet-files/dialect.ts";
import type { ImportCounts } from "../../../pet-files/import-pets.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import type { Repeats } from "../../../pet-files/repeated-pets.ts";
import { account } from "../account/session.ts";
import type { Values } from "../components/form-state.ts";
import { navigate } from "../router.ts";
import type { Layout } from "./layout.ts";

// The state is kept in the module. An import therefore continues while other screens are shown, and can still be seen after the
// person has signed in again.

export type RefusedPet = Extract<ParsedPet, { readonly refusal: string }>;

/** The category and status for lines that have none, as in a form. An empty text means that there is none. */
export type Usual = Values<"categoryId" | "status">;

export interface ReadableFile {
  readonly file: File;
  readonly dialect: Dialect;
  /** Some names whose letters depend on the encoding. There are none for a file in Unicode. */
  readonly samples: readonly string[];
  /** The columns of a CSV file, or undefined for JSON. */
  readonly layout: Layout | undefined;
  /** Category numbers by name. If they are left out, they are read before the first animal is added. */
  readonly categories: CategoryNumbers | undefined;
  readonly usual: Usual;
  /** The way to treat a line whose animal is already in the store: change that animal, or add a second one. */
  readonly mode: "update" | "copies";
  /** True if animals are changed even when both their name and their category differ from those in the file. */
  readonly overwrites: boolean;
}

/** A file that can be imported. */
export interface ChosenFile extends ReadableFile {
  /** The number of lines or records in a file that contain an animal, including refused ones. */
  readonly lines: number;
  /** The first lines of the file, and the first refused lines. */
  readonly shown: readonly ParsedPet[];
  readonly refused: readonly RefusedPet[];
  readonly nameless: number;
  /** The names of the categories that the import creates, by a number that stands for the category until it exists. */
  readonly newCategories: ReadonlyMap<Int64, string>;
  /** The result of comparing the lines with the store, or undefined if the import only adds animals. */
  readonly comparison: Comparison | undefined;
  /** True if some line has a number by which an animal of the store was found. */
  readonly canUpdate: boolean;
  /** The number of lines that have the name and the category of an animal in the store, once they have been counted. */
  readonly repeats?: Repeats;
}

export interface ImportRun {
  /** The name that the requests of the import carry, by which the import can be undone. */
  readonly identity: string;
  readonly batch: string;
  readonly status: "running" | "stopped" | "complete";
  readonly counts: ImportCounts;
  readonly refused: readonly RefusedPet[];
  /** The reason why an import has failed, or an empty text if it has not. */
  readonly failure: string;
}

export const chosen = signal<ChosenFile | undefined>(undefined);
/** The pasted lines that are imported in place of a file. This is empty for a file. */
export const pasted = signal("");
/** The reason why no file can be imported, or why the rest of the file cannot be read. */
export const problem = signal("");
export const run = signal<ImportRun | undefined>(undefined);

/** Stops reading a file, or importing it. No further line is sent after that. */
export const stopping = signal(new AbortController());

let owner: string | undefined;

/** Drops the import of a different account that was signed in before in this tab. */
export function claimImport(): void {
  if (owner !== account.peek()?.email) dropImport();
  owner = account.peek()?.email;
}

/** Opens the import with these lines, unless an import is already running. */
export function importLines(lines: string): void {
  claimImport();
  if (run.peek()?.status !== "running") dropImport(lines);
  navigate("/animals/import");
}

export function dropImport(lines = ""): void {
  stopping.peek().abort();
  chosen.value = undefined;
  run.value = undefined;
  problem.value = "";
  pasted.value = lines;
}
