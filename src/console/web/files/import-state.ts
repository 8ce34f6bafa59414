import { signal } from "@preact/signals";
import type { CategoryNumbers, StandInNumber } from "../../../pet-files/categories.ts";
import type { Comparison } from "../../../pet-files/compare-pets.ts";
import type { Dialect } from "../../../pet-files/dialect.ts";
import type { ImportCounts } from "../../../pet-files/import-pets.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import type { Repeats } from "../../../pet-files/repeated-pets.ts";
import { account } from "../account/session.ts";
import type { Values } from "../components/form-state.ts";
import { navigate } from "../router.ts";
import type { Layout } from "./layout.ts";

// The state belongs to this module and not to a component. Therefore, an import continues while the person visits other screens,
// and is still shown after the person has signed in again.

export type RefusedPet = Extract<ParsedPet, { readonly refusal: string }>;

/** The category and the status for lines that have none. An empty string means no category or no status. */
export type Usual = Values<"categoryId" | "status">;

export interface ReadableFile {
  readonly file: File;
  readonly dialect: Dialect;
  /**
   * Some names from the file that would look different in another encoding. They let the person check the encoding. Empty if the
   * encoding is Unicode.
   */
  readonly samples: readonly string[];
  /** The columns of a CSV file, or undefined for JSON. */
  readonly layout: Layout | undefined;
  /** The category numbers, keyed by name. If undefined, they are read before the first animal is added. */
  readonly categories: CategoryNumbers | undefined;
  readonly usual: Usual;
  /** Decides whether a line whose animal is already in the store updates this animal or adds a copy of it. */
  readonly mode: "update" | "copies";
  /** True if a line may change an animal even though neither the animal's name nor its category is the same as in the line. */
  readonly overwrites: boolean;
}

export interface ChosenFile extends ReadableFile {
  /** The number of lines or records in the file that contain an animal. Refused lines are included. */
  readonly lines: number;
  readonly shown: readonly ParsedPet[];
  readonly refused: readonly RefusedPet[];
  readonly nameless: number;
  /** The names of the categories that the import creates. */
  readonly newCategories: ReadonlyMap<StandInNumber, string>;
  /** The result of comparing the lines with the store, or undefined if the import only adds animals. */
  readonly comparison: Comparison | undefined;
  /** True if at least one line contains a number that identifies an animal in the store. */
  readonly canUpdate: boolean;
  /** The number of lines with the same name and category as an animal in the store. Absent until the lines have been counted. */
  readonly repeats?: Repeats;
}

export interface ImportRun {
  /** Identifies the import, so that an undo can find its changes. All requests of the import contain this text. */
  readonly identity: string;
  readonly batch: string;
  /** The import is `unreadable` if it has stopped because the browser can no longer read the file. */
  readonly status: "running" | "stopped" | "unreadable" | "complete";
  readonly counts: ImportCounts;
  readonly refused: readonly RefusedPet[];
  /** The reason why the import has failed; empty if it has not failed. */
  readonly failure: string;
}

export const chosen = signal<ChosenFile | undefined>(undefined);
/**
 * True while the file is being read again with the person's latest choices. Until that is finished, the preview shows the old
 * result.
 */
export const isOutdated = signal(false);
/** The pasted lines that are imported instead of a file; empty if a file is imported. */
export const pasted = signal("");
/** The reason why no file can be imported, or why the rest of the file cannot be read. */
export const problem = signal("");
export const run = signal<ImportRun | undefined>(undefined);

/** The abort controller that stops the reading or the import of a file. After it has aborted, no further line is sent. */
export const stopping = signal(new AbortController());

let owner: string | undefined;

/** Discards the import of another account that was signed in to this tab before. */
export function claimImport(): void {
  if (owner !== account.peek()?.email) dropImport();
  owner = account.peek()?.email;
}

/** Opens the import screen with the given lines, unless an import is already running. */
export function importLines(lines: string): void {
  claimImport();
  if (run.peek()?.status !== "running") dropImport(lines);
  navigate("/animals/import");
}

export function dropImport(lines = ""): void {
  stopping.peek().abort();
  chosen.value = undefined;
  isOutdated.value = false;
  run.value = undefined;
  problem.value = "";
  pasted.value = lines;
}
