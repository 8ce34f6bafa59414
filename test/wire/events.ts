import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { numberColumn } from "../../src/storage/row.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { until } from "../until.ts";
import type { Server } from "./server.ts";

const countQueued: Statement<[], number> = statement(
  "SELECT count(*) AS count FROM event_queue",
  numberColumn("count"),
);
const deleteUpTo: Statement<[id: number]> = statement("DELETE FROM event WHERE id <= $1");

/** Opens the running service's database, for changes that no request makes. */
export function openServed({ store: { dataDir, settings } }: Pick<Server, "store">): Promise<Database> {
  return openDatabase("production", {
    dataDir,
    databaseUrl: settings["PETSTORE_DATABASE_URL"],
    databaseDirectUrl: settings["PETSTORE_DATABASE_DIRECT_URL"],
  });
}

/** Access to the events of the running service. */
export async function openProduction(server: Pick<Server, "store">) {
  const database = await openServed(server);
  return {
    /** Resolves once every event that was committed has its number. */
    settle: () => until(async () => (await database.read(countQueued, []))[0] === 0),
    /** Deletes the oldest events, up to and including this one. */
    async prune(id: number): Promise<void> {
      await database.run(deleteUpTo, [id]);
    },
    close: () => database.close(),
  };
}
