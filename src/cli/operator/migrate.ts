import { refuseUnknownMigrations } from "../../storage/migrations.ts";
import { migrateAll, migrationsOf, readJournal } from "../../storage/open.ts";
import { DATABASE_NAMES } from "../../storage/store-files.ts";
import type { Command } from "../command.ts";
import { type JsonOption, printJson, printStatus } from "../terminal/output.ts";
import { startTable } from "../terminal/table.ts";
import { addSettings, configOf } from "./settings.ts";

export function addCommands(program: Command): void {
  const command = program
    .command("migrate")
    .description(
      "apply pending migrations; the service does the same at every start; it is safe to run this command again, or several times at once",
    )
    .option("--status", "list the migrations and show which ones are applied, but apply none")
    .option("--json", "print JSON")
    .addExamples("petstore migrate --status");
  addSettings(command).action(async (options: JsonOption & { status?: true }) => {
    const config = configOf(options);
    if (!options.status) await migrateAll(config);
    const migrations = await statusOf(config);
    if (options.json) printJson(migrations);
    else if (options.status) startTable(["DATABASE", "NUMBER", "NAME", "STATE"]).add(migrations.map(rowOf));
    else printStatus(`The tables are up to date: all ${migrations.length} migrations have been applied.`);
  });
}

async function statusOf(config: ReturnType<typeof configOf>) {
  const migrations = [];
  for (const database of DATABASE_NAMES) {
    const [journal, known] = [await readJournal(database, config), migrationsOf(database, config)];
    refuseUnknownMigrations(journal, known, database);
    const applied = new Set(journal.map(({ number }) => number));
    for (const { number, name } of known) {
      migrations.push({ database, number, name, isApplied: applied.has(number) });
    }
  }
  return migrations;
}

type Migration = Awaited<ReturnType<typeof statusOf>>[number];

function rowOf({ database, number, name, isApplied }: Migration): readonly string[] {
  return [database, String(number), name, isApplied ? "applied" : "pending"];
}
