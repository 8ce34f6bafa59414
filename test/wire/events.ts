import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { REMOVED_EVENTS, writeSetting } from "../../src/storage/setting.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import type { Server } from "./server.ts";

const deleteUpTo: Statement<[id: number]> = statement("DELETE FROM event WHERE id <= $1");

/** Opens the database of a running service, for changes that no API request can make. */
export function openServed({ store: { dataDir, settings } }: Pick<Server, "store">): Promise<Database> {
  return openDatabase("production", {
    dataDir,
    databaseUrl: settings["PETSTORE_DATABASE_URL"],
    databaseDirectUrl: settings["PETSTORE_DATABASE_DIRECT_URL"],
  });
}

/** Gives access to the event log of production while the service runs. */
export async function openProduction(server: Pick<Server, "store">) {
  const database = await openServed(server);
  return {
    /** Deletes the oldest events, up to and including the one with this identifier. */
    async prune(id: number): Promise<void> {
      await database.write(async (query) => {
        await query(writeSetting, [REMOVED_EVENTS, String(id)]);
        await query(deleteUpTo, [id]);
      });
    },
    close: () => database.close(),
  };
}
