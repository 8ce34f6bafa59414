import { closeSync, openSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import { REFUSED_SHOWN_MAX } from "../../limits.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus, writeWhole } from "../terminal/output.ts";
import type { RefusedLine } from "./import.ts";

/** Tells of refused lines as they come: the first of them to people, all of them to a file as JSON Lines, if one is named. */
export function reportRefused(file: string | undefined, clearLine: () => void) {
  const descriptor = file === undefined ? undefined : openSync(file, "w", 0o600);
  let count = 0;
  return {
    add(refused: RefusedLine): void {
      count++;
      if (descriptor !== undefined) writeWhole(descriptor, `${writeJson(refused)}\n`);
      if (count > REFUSED_SHOWN_MAX) return;
      clearLine();
      printStatus(`${placeOf(refused)}: ${escapeControls(refused.reason)}`);
    },
    end(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      if (count <= REFUSED_SHOWN_MAX) return;
      const where = file === undefined ? "--refused FILE keeps them all" : `${file} has them all`;
      printStatus(`… and ${(count - REFUSED_SHOWN_MAX).toLocaleString("en")} more lines; ${where}.`);
    },
  };
}

function placeOf({ line, lastLine }: RefusedLine): string {
  return line === lastLine ? `line ${line}` : `lines ${line} to ${lastLine}`;
}
