import { existsSync } from "node:fs";
import type { Loss } from "../../storage/identity/accept-loss.ts";
import { acceptStoreLoss } from "../../storage/open.ts";
import { lockStore } from "../../storage/service-lock.ts";
import { configOf } from "../operator/settings.ts";
import type { JsonOption } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";

export async function acceptLossOf(options: JsonOption): Promise<void> {
  const config = configOf(options);
  using _locks = config.databaseUrl === undefined ? lockStore(config.dataDir) : undefined;
  const losses = await acceptStoreLoss(config);
  printOutcome(
    options,
    losses,
    losses.length === 0 ? "The files are in order, so nothing was changed." : inWords(losses),
  );
}

function inWords(losses: readonly Loss[]): string {
  const folder = losses.flatMap(({ keptIn = [] }) => keptIn).find((path) => existsSync(path));
  return [
    ...losses.map(({ loss }) => loss),
    ...(folder === undefined ? [] : [`Files that are no longer used were moved to ${folder}.`]),
    "The store can be used again. New identifiers will be higher than all earlier ones.",
  ].join("\n");
}
