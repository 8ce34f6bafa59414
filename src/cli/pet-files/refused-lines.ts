import { closeSync, openSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import type { RefusedLine } from "../../pet-files/import-pets.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus, writeWhole } from "../terminal/output.ts";

const REFUSED_SHOWN_MAX = 20; // refused lines of an import that are printed; the others are counted

/** Reports refused lines during an import: the first ones to standard error, all of them to `file`, as JSON Lines. */
export function reportRefused(file: string | undefined, clearProgress: () => void) {
  const descriptor = file === undefined ? undefined : openSync(file, "w", 0o600);
  let count = 0;
  return {
    add(refused: RefusedLine) {
      count++;
      if (descriptor !== undefined) writeWhole(descriptor, `${writeJson(refused)}\n`);
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
