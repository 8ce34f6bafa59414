import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { createClient } from "./client.ts";
import { withDeadline } from "./deadline.ts";

/**
 * Selects the name that this prepared statement has on the server. It takes a value only because the driver does not prepare
 * statements without values.
 */
const SELECT_OWN_NAME = "SELECT name FROM pg_prepared_statements WHERE statement LIKE $1 || '%'";
const DRIVERS_NAME = /^P[0-9]+$/;

/**
 * True if a pooler in transaction mode gives prepared statements new names on the server, so that the names of different clients do
 * not collide. PgBouncer has done this since version 1.21.
 */
export async function keepsNamesApart(url: string): Promise<boolean> {
  const sql = createClient(url);
  const look = sql.begin(async (transaction) => {
    const [found] = await transaction.unsafe<{ name: string }[]>(SELECT_OWN_NAME, [SELECT_OWN_NAME]);
    if (found === undefined) return false;
    const isOurs = DRIVERS_NAME.test(found.name);
    if (isOurs) await transaction.unsafe(`DEALLOCATE "${found.name}"`);
    return !isOurs;
  });
  try {
    return await withDeadline(look, CONNECT_DEADLINE_SECONDS * 1000);
  } catch {
    return false;
  } finally {
    await sql.close({ timeout: 0 });
  }
}
