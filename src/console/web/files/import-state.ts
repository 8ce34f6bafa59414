import { signal } from "@preact/signals";
import type { CategoryNumbers } from "../../../pet-files/categories.ts";
import type { Dialect } from "../../../pet-files/dialect.ts";
import type { ImportCounts, RefusedLine } from "../../../pet-files/import-pets.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { readDraft } from "../components/draft.ts";
import type { Layout } from "./layout.ts";

// Module state: an import continues while other screens are shown, and is still here after another sign-in.

/** A file to import, with its parsed beginning and its refused lines. */
export interface ChosenFile {
  readonly file: File;
  readonly dialect: Dialect;
  readonly layout: Layout | undefined;
  readonly categories: CategoryNumbers;
  /** Number of a file's lines or records with an animal, including refused ones. */
  readonly lines: number;
  readonly first: readonly ParsedPet[];
  readonly refused: readonly RefusedLine[];
}

export interface ImportRun {
  readonly batch: string;
  readonly status: "running" | "stopped" | "complete";
  readonly lines: number;
  readonly linesPerSecond: number;
  readonly counts: ImportCounts;
  readonly refused: readonly RefusedLine[];
  /** Reason why an import has failed; empty without a failure. */
  readonly failure: string;
}

export const chosen = signal<ChosenFile | undefined>(undefined);
/** Reason why there is no file to import, or the rest of it is unreadable. */
export const problem = signal("");
export const isReading = signal(false);
export const run = signal<ImportRun | undefined>(undefined);

/** Stops an import: no further line is sent, and running requests end. */
export const stopping = signal(new AbortController());
/** Stops the reading of a chosen file, before anything is sent. */
export const reading = signal(new AbortController());

export const IMPORT_DRAFT = "import";

/** An import left unfinished by a reloaded tab, or by an earlier session of the account. */
export function unfinishedImport() {
  return readDraft(IMPORT_DRAFT);
}

export function dropImport(): void {
  stopping.peek().abort();
  reading.peek().abort();
  chosen.value = undefined;
  run.value = undefined;
  problem.value = "";
}
