import { existsSync } from "node:fs";
import { acceptStoreLoss } from "../../storage/open.ts";
import { configOf } from "../operator/settings.ts";
import type { JsonOption } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";

export async function acceptLossOf(options: JsonOption): Promise<void> {
  const config = configOf(options);
  const losses = await acceptStoreLoss(config);
  printOutcome(
    options,
    losses,
    losses.length === 0 ? "Nothing is wrong with the files, and nothing was changed." : inWords(losses),
  );
}

function inWords(losses: Awaited<ReturnType<typeof acceptStoreLoss>>): string {
  const folder = losses.map(({ keptIn }) => keptIn).find((path) => existsSync(path));
  return [
    ...losses.map(({ loss }) => loss),
    ...(folder === undefined ? [] : [`Files that are no longer used are in ${folder}.`]),
    "The store can be used. Identifiers go on above all that may have been given out.",
  ].join("\n");
}
