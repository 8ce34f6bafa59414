import { dialectInWords } from "../../pet-files/dialect.ts";
import type { Columns } from "../../pet-files/parse-pets.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import type { Input } from "./open-input.ts";
import { countPets } from "./parse-pets.ts";

/**
 * Reports to standard error what an import found in a file, before the first animal is sent: everything on a terminal;
 * elsewhere only omissions and guesses.
 *
 * @returns the number of animals, if counted, and a callback for the columns of a CSV file
 */
export async function startReport({ dialect, reopen }: Input) {
  const isTerminal = process.stderr.isTTY;
  const total = isTerminal && reopen ? await countPets(reopen(), dialect) : undefined;
  const count = total === undefined ? [] : [pluralize(total, "animal", "animals")];
  const found = [...count, dialectInWords(dialect)];
  if (isTerminal && dialect.format !== "csv") printStatus(`Found: ${found.join(", ")}`);
  if (!isTerminal && dialect.encoding === "windows-1252")
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
