import { closeSync, openSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import { dialectInWords } from "../../pet-files/dialect.ts";
import type { RefusedLine } from "../../pet-files/import-pets.ts";
import type { Columns } from "../../pet-files/parse-pets.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus, writeWhole } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { countPets } from "./check-pets.ts";
import type { Input } from "./open-input.ts";

/**
 * Reports to standard error what an import found in a file, before the first animal is sent: everything on a terminal;
 * elsewhere only omissions and guesses.
 *
 * @returns the number of animals, if counted, and a callback for the columns of a CSV file
 */
export async function startReport({ dialect, isEncodingGiven, reopen }: Input) {
  const isTerminal = process.stderr.isTTY;
  const total = isTerminal && reopen ? await countPets(reopen(), dialect) : undefined;
  const count = total === undefined ? [] : [pluralize(total, "animal", "animals")];
  const found = [...count, dialectInWords(dialect)];
  if (isTerminal && dialect.format !== "csv") printStatus(`Found: ${found.join(", ")}`);
  if (!isTerminal && !isEncodingGiven && dialect.encoding === "windows-1252")
    printStatus("The file is not UTF-8. It is read as Windows-1252.");

  function onColumns({ first, targets }: Columns) {
    const shown = first.map(escapeControls);
    const ignored = shown.filter((heading, index) => targets[index] === "" && heading.trim() !== "");
    const used = shown.flatMap((heading, index) => {
      const target = targets[index] ?? "";
      if (target === "") return [];
      return target === heading ? [target] : [`${heading} → ${target}`];
    });
    const left = ignored.length > 0 ? [`ignored: ${ignored.join(", ")}`] : [];
    if (isTerminal) printStatus(`Found: ${[...found, `columns ${used.join(", ")}`, ...left].join(", ")}`);
    else if (ignored.length > 0) printStatus(`Ignored columns: ${ignored.join(", ")}.`);
  }

  return { total, onColumns };
}

const REFUSED_SHOWN_MAX = 20; // refused lines of an import that are printed; the others are counted

/** Reports refused lines during an import: the first ones to standard error, all of them to `file`, as JSON Lines. */
export function reportRefused(file: string | undefined, clearProgress: () => void) {
  const descriptor = file === undefined ? undefined : openSync(file, "w", 0o600);
  let count = 0;
  return {
    add(refused: RefusedLine) {
      count++;
      if (descriptor !== undefined) writeWhole(descriptor, `${writeJson(refused)}\n`, file);
      if (count > REFUSED_SHOWN_MAX) return;
      clearProgress();
      printStatus(`${lineNumbers(refused)}: ${escapeControls(refused.reason)}`);
    },
    end() {
      if (descriptor !== undefined) closeSync(descriptor);
      if (count <= REFUSED_SHOWN_MAX) return;
      const where = file === undefined ? "--refused FILE keeps them all" : `all of them are in ${file}`;
      printStatus(`… and ${(count - REFUSED_SHOWN_MAX).toLocaleString("en")} more lines; ${where}.`);
    },
  };
}

function lineNumbers({ line, lastLine }: RefusedLine): string {
  return line === lastLine ? `line ${line}` : `lines ${line} to ${lastLine}`;
}
