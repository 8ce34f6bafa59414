import { closeSync, openSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import { type ComparedCounts, countsInWords } from "../../pet-files/compared-counts.ts";
import { dialectInWords } from "../../pet-files/dialect.ts";
import type { RefusedLine } from "../../pet-files/import-pets.ts";
import type { Columns, Place } from "../../pet-files/parse-pets.ts";
import type { PetChange, PlannedLine } from "../../pet-files/planned-lines.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus, writeWhole } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { countPets } from "./check-pets.ts";
import type { Input } from "./open-input.ts";

/**
 * Reports on standard error what was detected in an import file. Called before the first animal is sent. On a terminal, prints the
 * whole report. Otherwise, prints only the ignored columns, and the encoding if it was guessed.
 *
 * @returns the number of animals, if they were counted, and a callback for the columns of a CSV file
 */
export async function startReport({ dialect, isEncodingGiven, reopen }: Input) {
  if (process.stderr.isTTY) {
    const total = reopen && (await countPets(reopen(), dialect));
    const count = total === undefined ? [] : [pluralize(total, "animal", "animals")];
    const found = [...count, dialectInWords(dialect)];
    if (dialect.format !== "csv") printStatus(`Found: ${found.join(", ")}`);
    const onColumns = (columns: Columns) => {
      const ignored = ignoredIn(columns);
      const left = ignored.length > 0 ? [`ignored: ${ignored.join(", ")}`] : [];
      printStatus(`Found: ${[...found, `columns ${usedIn(columns).join(", ")}`, ...left].join(", ")}`);
    };
    return { total, onColumns };
  }
  if (!isEncodingGiven && dialect.encoding === "windows-1252")
    printStatus("The file is not UTF-8. petstore reads the file as Windows-1252.");
  const onColumns = (columns: Columns) => {
    const ignored = ignoredIn(columns);
    if (ignored.length > 0) printStatus(`Ignored columns: ${ignored.join(", ")}.`);
  };
  return { total: undefined, onColumns };
}

function ignoredIn({ first, targets }: Columns): readonly string[] {
  return first.map(escapeControls).filter((heading, index) => targets[index] === "" && heading.trim() !== "");
}

/** Returns the columns that the import reads: the name of each member, with the column's heading before it if the two differ. */
function usedIn({ first, targets }: Columns): readonly string[] {
  return first.map(escapeControls).flatMap((heading, index) => {
    const target = targets[index] ?? "";
    if (target === "") return [];
    return target === heading ? [target] : [`${heading} → ${target}`];
  });
}

const SHOWN_MAX = 20; // maximum number of refused lines, and of changed lines, that an import prints; further lines are only counted

/**
 * Reports refused lines during an import. Prints the first of them on standard error, and writes all of them to `file` as JSON
 * Lines.
 */
export function reportRefused(file: string | undefined, clearProgress: () => void) {
  const descriptor = file === undefined ? undefined : openSync(file, "w", 0o600);
  let count = 0;
  return {
    add(refused: RefusedLine) {
      count++;
      if (descriptor !== undefined) writeWhole(descriptor, `${writeJson(refused)}\n`, file);
      if (count > SHOWN_MAX) return;
      clearProgress();
      printStatus(`${lineNumbers(refused)}: ${escapeControls(refused.reason)}`);
    },
    end() {
      if (descriptor !== undefined) closeSync(descriptor);
      if (count <= SHOWN_MAX) return;
      const where =
        file === undefined
          ? "to save all refused lines in a file, add --refused FILE"
          : `all refused lines are in ${file}`;
      printStatus(`… and ${formatCount(count - SHOWN_MAX)} more lines; ${where}.`);
    },
  };
}

/** Prints how an import file differs from the store: the counts, and the first changes with the old and the new values. */
export function reportComparison(
  title: string,
  counts: ComparedCounts,
  lines: readonly PlannedLine[],
  hasOverwritten: boolean,
) {
  printStatus(`Compared ${title} with the store: ${countsInWords(counts, formatCount)}.`);
  const changed = lines.filter((line) => "change" in line);
  for (const line of changed.slice(0, SHOWN_MAX))
    printStatus(`${lineNumbers(line)}: ${escapeControls(changeInWords(line.change))}`);
  if (changed.length > SHOWN_MAX)
    printStatus(`… and ${formatCount(changed.length - SHOWN_MAX)} more changes.`);
  if (counts.different > 0 && !hasOverwritten)
    printStatus(
      "If both the name and the category of an animal differ from those in the store, the file may belong to a different store. To change such animals anyway, add --overwrite.",
    );
}

/** Describes a change, such as `animal 7: status available → sold`. */
function changeInWords({ before, patch }: PetChange): string {
  const members = (Object.keys(patch) as (keyof typeof patch)[]).map(
    (member) => `${member} ${before[member] ?? "none"} → ${patch[member] ?? "none"}`,
  );
  return `animal ${before.id}: ${members.join(", ")}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

function lineNumbers({ line, lastLine }: Place): string {
  return line === lastLine ? `line ${line}` : `lines ${line} to ${lastLine}`;
}
