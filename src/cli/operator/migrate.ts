import type { Command } from "commander";
import { DATABASE_NAMES, migrationsOf, openDatabase, readJournal } from "../../storage/open.ts";
import { addExamples } from "../examples.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { printTable } from "../terminal/table.ts";
import { addSettings, configOf } from "./settings.ts";

/** `petstore migrate [--status]` */
export function addMigrateCommand(program: Command): void {
  const command = program
    .command("migrate")
    .description("bring the tables up to date, as starting the service does; any number may try at once")
    .option("--status", "only tell which steps have been taken")
    .option("--json", "print JSON");
  addExamples(command, "petstore migrate --status");
  addSettings(command, ["dataDir", "databaseUrl"]).action(async (options: { status?: true; json?: true }) => {
    const config = configOf({ ...options });
    if (!options.status) {
      for (const name of DATABASE_NAMES) await (await openDatabase(name, config)).close();
    }
    const steps = await statusOf(config);
    if (options.json) printJson(steps);
    else if (options.status) printTable(["DATABASE", "STEP", "NAME", "STATE"], steps.map(rowOf));
    else printStatus(`The tables are up to date: ${steps.length} steps.`);
  });
}

async function statusOf(config: ReturnType<typeof configOf>) {
  const steps = [];
  for (const database of DATABASE_NAMES) {
    const applied = new Set((await readJournal(database, config)).map(({ number }) => number));
    for (const { number, name } of migrationsOf(database, config)) {
      steps.push({ database, number, name, isApplied: applied.has(number) });
    }
  }
  return steps;
}

function rowOf(step: Awaited<ReturnType<typeof statusOf>>[number]): readonly string[] {
  return [step.database, String(step.number), step.name, step.isApplied ? "applied" : "pending"];
}
