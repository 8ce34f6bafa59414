import { tablesFrom } from "../catalogue.ts";
import type { Database, Maintenance, Query } from "../database.ts";
import { forgetLastId, insertLastId, selectColumns, selectLastId } from "./catalogue.ts";
import { empty } from "./emptying.ts";

export function createMaintenance(read: Query, write: Database["write"]): Maintenance {
  return {
    tables: async () => tablesFrom(await read(selectColumns, [])),
    async nextId(table) {
      const [last = 0n] = await read(selectLastId, [table]);
      return last + 1n;
    },
    setNextId: (table, next) =>
      write(async (query) => {
        await query(forgetLastId, [table]);
        await query(insertLastId, [table, next - 1n]);
      }),
    empty,
  };
}
