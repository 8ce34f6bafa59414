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

// The state is in the module, so that an import continues while other screens are shown, and is still here after signing in again.

export type RefusedPet = Extract<ParsedPet, { readonly refusal: string }>;

/** Category and status, as in a form, of lines without their own; empty for none. */
export type Usual = Values<"categoryId" | "status">;

export interface ReadableFile {
  readonly file: File;
  readonly dialect: Dialect;
  /** Some names with letters that depend on the encoding; none for Unicode. */
  readonly samples: readonly string[];
  /** Columns of CSV; undefined for JSON. */
  readonly layout: Layout | undefined;
  /** Category numbers by name; read before the first animal if left out. */
  readonly categories: CategoryNumbers | undefined;
  readonly usual: Usual;
  /** How to treat a line whose animal is already in the store: change that animal, or add another one. */
  readonly mode: "update" | "copies";
  /** True if even animals with another name and another category are changed. */
  readonly overwrites: boolean;
}

/** A file to import. */
export interface ChosenFile extends ReadableFile {
  /** Number of a file's lines or records with an animal, including refused ones. */
  readonly lines: number;
  /** The first lines, and the first refused ones. */
  readonly shown: readonly ParsedPet[];
  readonly refused: readonly RefusedPet[];
  readonly nameless: number;
  /** Names of the categories that the import creates, by a stand-in for their number. */
  readonly newCategories: ReadonlyMap<Int64, string>;
  /** Result of comparing the lines with the store; undefined if the import only adds animals. */
  readonly comparison: Comparison | undefined;
  /** True if a line has a number by which an animal of the store was found. */
  readonly canUpdate: boolean;
  /** Number of lines with the name and the category of an animal in the store, once they are counted. */
  readonly repeats?: Repeats;
}

export interface ImportRun {
  /** Identity that the import's requests carry, by which it can be undone. */
  readonly identity: string;
  readonly batch: string;
  readonly status: "running" | "stopped" | "complete";
  readonly counts: ImportCounts;
  readonly refused: readonly RefusedPet[];
  /** Reason why an import has failed; empty without a failure. */
  readonly failure: string;
}

export const chosen = signal<ChosenFile | undefined>(undefined);
/** Pasted lines, in place of a file; empty for a file. */
export const pasted = signal("");
/** Reason why there is no file to import, or the rest of it is unreadable. */
export const problem = signal("");
export const run = signal<ImportRun | undefined>(undefined);

/** Stops the reading of a file, or its import: no further line is sent. */
export const stopping = signal(new AbortController());

let owner: string | undefined;

/** Drops the import of another account that was signed in before in this tab. */
export function claimImport(): void {
  if (owner !== account.peek()?.email) dropImport();
  owner = account.peek()?.email;
}

/** Opens the import with these lines; a running import stays. */
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
