import type { ReservedSQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { singleRow } from "../row.ts";
import { createClient } from "./client.ts";
import { withDeadline } from "./deadline.ts";
import { isDriverError, unlessUnsupported } from "./errors.ts";
import { hostsOf, withConnection } from "./migrator.ts";
import { keepsNamesApart } from "./prepared-names.ts";
import { primaryAt } from "./primary.ts";

/**
 * The isolation level for statements outside transactions: a statement sees everything that was committed before it, and waits if a
 * running transaction has changed a row that the statement has to change.
 */
const ISOLATION = "read committed";

export async function readPooler(
  url: string,
  direct: string,
): Promise<{ readonly server: string; readonly keepsNames: boolean }> {
  await requireUsablePooler(url, direct);
  const server = primaryAt(url, direct).server();
  return { server: new URL(server).host, keepsNames: await keepsNamesApart(server) };
}

/**
 * Throws an error if a pooler leads to a different database than the direct address, or does not provide usable sessions.
 *
 * @throws Error for the operator
 */
export async function requireUsablePooler(url: string, direct: string): Promise<void> {
  const pooled = await readSession(url, direct);
  const own = await readSession(direct, direct);
  if (pooled.identity !== own.identity)
    throw new Error(
      `PETSTORE_DATABASE_URL (${hostsOf(url)}) and PETSTORE_DATABASE_DIRECT_URL (${hostsOf(direct)}) lead to different databases. Set both to the same database.`,
    );
  const refusal = await refusalOfTransactions(primaryAt(url, direct).server());
  if (refusal !== undefined)
    throw new Error(
      `The pooler at ${hostsOf(url)} allows no transactions (${refusal}). Set pool_mode = transaction there.`,
    );
  if (pooled.isolation !== ISOLATION)
    throw new Error(
      `The sessions of the pooler at ${hostsOf(url)} have the isolation level ${pooled.isolation}. Set default_transaction_isolation = '${ISOLATION}' for the user of these sessions (ALTER ROLE).`,
    );
}

/**
 * Returns the pooler's error message if it refuses transactions, as PgBouncer does in statement mode. Returns undefined if it
 * allows them.
 */
async function refusalOfTransactions(server: string): Promise<string | undefined> {
  const sql = createClient(server, { prepare: false });
  try {
    await withDeadline(
      sql.begin((query) => query`SELECT 1`),
      CONNECT_DEADLINE_SECONDS * 1000,
    );
    return undefined;
  } catch (error) {
    return isDriverError(error) ? error.message : undefined;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

const SELECT_ISOLATION = "SELECT current_setting('default_transaction_isolation') AS isolation";
const SELECT_IDENTITY =
  "SELECT format('%s %s', system_identifier, current_database()) AS identity FROM pg_control_system()";

/**
 * Reads a session's default isolation level, and a string that identifies the database. The string is empty if the server does not
 * reveal it.
 */
function readSession(url: string, direct: string) {
  const read = async (connection: ReservedSQL) => {
    const isolation = await connection.unsafe<{ isolation: string }[]>(SELECT_ISOLATION);
    const identity = await unlessUnsupported(connection.unsafe<{ identity: string }[]>(SELECT_IDENTITY), [
      { identity: "" },
    ]);
    return { ...singleRow(isolation), ...singleRow(identity) };
  };
  return withConnection(url, read, direct);
}
