import { tablesFrom } from "../catalogue.ts";
import type { Database, Query, WholeTables } from "../database.ts";
import { renewIdentity } from "../identity/stamp.ts";
import { noRows } from "../statement.ts";
import { forgetLastId, insertLastId, selectColumns, selectLastId } from "./catalogue.ts";

export function createWholeTables(
  read: Query,
  write: Database["write"],
  countBy: WholeTables["countBy"],
): WholeTables {
  return {
    countBy,
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

const empty: WholeTables["empty"] = async (query, { restarting, continuing, log }, storeId) => {
  await query(renewIdentity, [storeId]);
  for (const table of [...restarting, ...continuing, log])
    await query({ sql: `DELETE FROM ${table}`, decode: noRows }, []);
  for (const table of restarting) await query(forgetLastId, [table]);
  const [last = 0n] = await query(selectLastId, [log]);
  await query(forgetLastId, [log]);
  await query(insertLastId, [log, last + 1n]);
  return last + 1n;
};
