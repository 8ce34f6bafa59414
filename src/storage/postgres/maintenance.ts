import { tablesFrom } from "../catalogue.ts";
import type { AwaitedQuery, Maintenance } from "../database.ts";
import { restartIds, selectColumns, selectNextId } from "./catalogue.ts";
import { createEmptying } from "./emptying.ts";

export function createMaintenance(schema: string, read: AwaitedQuery, run: AwaitedQuery): Maintenance {
  return {
    empty: createEmptying(schema),
    tables: async () => tablesFrom(await read(selectColumns(schema), [])),
    nextId: async (table) => (await read(selectNextId(table), []))[0] ?? 1n,
    async setNextId(table, next) {
      await run(restartIds, [`${schema}.${table}`, next]);
    },
  };
}
