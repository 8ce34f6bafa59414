import type { Maintenance } from "../database.ts";
import { renewIdentity } from "../identity/stamp.ts";
import { noRows } from "../statement.ts";
import { forgetLastId, insertLastId, selectLastId } from "./catalogue.ts";

export const empty: Maintenance["empty"] = async (query, { restarting, continuing, log }, storeId) => {
  await query(renewIdentity, [storeId]);
  for (const table of [...restarting, ...continuing, log])
    await query({ sql: `DELETE FROM ${table}`, decode: noRows }, []);
  for (const table of restarting) await query(forgetLastId, [table]);
  const [last = 0n] = await query(selectLastId, [log]);
  await query(forgetLastId, [log]);
  await query(insertLastId, [log, last + 1n]);
  return last + 1n;
};
