import { signal } from "@preact/signals";
import type { CategoryNumbers } from "../../../pet-files/categories.ts";
import type { Dialect } from "../../../pet-files/dialect.ts";
import type { ImportCounts, RefusedLine } from "../../../pet-files/import-pets.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { readDraft } from "../components/draft.ts";
import type { Layout } from "./columns.ts";

// An import lives as long as the page: it goes on while other screens are shown, and a person who signs in again finds it here.

/** A file to import, and what reading it has shown. Nothing of it is sent yet. */
export interface ChosenFile {
  readonly file: File;
  readonly dialect: Dialect;
  /** Undefined for JSON. */
  readonly layout: Layout | undefined;
  readonly categories: CategoryNumbers;
  /** Lines or records with an animal, those that are refused included. */
  readonly lines: number;
  readonly first: readonly ParsedPet[];
  readonly refused: readonly RefusedLine[];
}

export interface ImportRun {
  readonly batch: string;
  readonly status: "running" | "stopped" | "complete";
  /** Lines that are finished. */
  readonly lines: number;
  readonly linesPerSecond: number;
  readonly counts: ImportCounts;
  readonly refused: readonly RefusedLine[];
  /** Why it stopped; empty when it was cancelled. */
  readonly failure: string;
}

export const chosen = signal<ChosenFile | undefined>(undefined);
/** Why there is no file to import, or the rest of it cannot be read. */
export const problem = signal("");
export const isReading = signal(false);
export const run = signal<ImportRun | undefined>(undefined);

/** Aborted to begin no further line of the file: the requests under way end. */
export const stopping = signal(new AbortController());
/** Aborted to read no more of a file that is not sent yet. */
export const reading = signal(new AbortController());

export const IMPORT_DRAFT = "import";

/** Import that a reloaded tab, or an earlier session of the account, has left unfinished. */
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
