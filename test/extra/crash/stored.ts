import { Database } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { flawsOf, readEmbeddedLog, readPostgresLog } from "../../events/log.ts";
import type { Stored } from "./ledger.ts";

const PETS = "SELECT id, name, status FROM";
const ORDERS = "SELECT id, pet_id, ship_date, complete FROM";
const MESSAGES = "SELECT id, message FROM";

type Row = Readonly<Record<string, unknown>>;

/** Reads the content of a SQLite store from outside, while the server is using it. */
export function readEmbedded(dataDir: string): Stored {
  const production = open("production");
  const messages = open("messages");
  const accounts = open("accounts");
  function open(name: string): Database {
    return new Database(join(dataDir, `${name}.sqlite`), { readwrite: true });
  }
  try {
    return storedOf(
      production.query<Row, []>(`${PETS} pet`).all(),
      production.query<Row, []>(`${ORDERS} store_order`).all(),
      messages.query<Row, []>(`${MESSAGES} message`).all(),
      [production, messages, accounts].flatMap(damageOf),
      [...flawsOf(readEmbeddedLog(dataDir))],
    );
  } finally {
    for (const database of [production, messages, accounts]) database.close();
  }
}

function damageOf(database: Database): readonly string[] {
  const found = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  return found.map((row) => row.integrity_check).filter((line) => line !== "ok");
}

/**
 * Reads the content of a PostgreSQL store.
 *
 * @param prefix the prefix of the names of the store's schemas
 */
export async function readPostgres(url: string, prefix = ""): Promise<Stored> {
  const flaws = [...flawsOf(await readPostgresLog(url, prefix))];
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.begin("isolation level repeatable read", async (tx) =>
      storedOf(
        await tx.unsafe(`${PETS} ${prefix}production.pet`),
        await tx.unsafe(`${ORDERS} ${prefix}production.store_order`),
        await tx.unsafe(`${MESSAGES} ${prefix}messages.message`),
        [],
        flaws,
      ),
    );
  } finally {
    await sql.close();
  }
}

function storedOf(
  pets: readonly Row[],
  orders: readonly Row[],
  messages: readonly Row[],
  damage: readonly string[],
  flaws: readonly string[],
): Stored {
  return {
    pets: pets.map(({ id, name, status }) => ({
      id: Number(id),
      name: String(name),
      status: status === null ? null : String(status),
    })),
    orders: orders.map(({ id, pet_id, ship_date, complete }) => ({
      id: Number(id),
      petId: Number(pet_id),
      shipAt: Number(ship_date),
      isComplete: Number(complete) === 1,
    })),
    messages: messages.map(({ id, message }) => ({ id: String(id), text: String(message) })),
    damage,
    flaws,
  };
}
