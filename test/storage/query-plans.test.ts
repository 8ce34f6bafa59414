import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { selectResetLinks } from "../../src/accounts/audit/store.ts";
import {
  nextCategoryNumber,
  removeCategory,
  selectCategory,
  selectCategoryPage,
  selectFirstCategories,
  selectNewestPetId,
} from "../../src/categories/store.ts";
import {
  countAdded,
  countSold,
  searchEventSince,
  selectOldestEvent,
} from "../../src/console/count-by-day.ts";
import { countFailedMessages, selectTroubledWebhooks } from "../../src/console/notices-store.ts";
import {
  selectForgottenPets,
  selectUsedCategories,
  selectWaitingOrders,
} from "../../src/console/overview-store.ts";
import { selectLogEnd, selectRemoved } from "../../src/events/store.ts";
import { selectStoredKeyByHash } from "../../src/keys/store.ts";
import { claimMessages, messageQueue, selectMessage, selectMessagePage } from "../../src/messages/store.ts";
import { selectOrder } from "../../src/orders/store.ts";
import { selectPet } from "../../src/pets/store.ts";
import { openDatabase } from "../../src/storage/open.ts";
import type { DatabaseName } from "../../src/storage/store-files.ts";
import {
  dropQueued,
  queueAgain,
  selectDelivery,
  selectDeliveryPage,
  selectDeliveryPageByStatus,
} from "../../src/webhooks/delivery-store.ts";
import {
  claimDeliveries,
  deliveryQueue,
  dueNext,
  dueOldest,
  insertDeliveries,
  selectBatchEnd,
  selectBatchLast,
} from "../../src/webhooks/queue-store.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { PAGES } from "./all-statements.ts";
import { fillTables } from "./filled-tables.ts";

// A request must not become slower as the store grows, so none of its statements may read or sort a whole table.

const STATEMENTS: Partial<Record<DatabaseName, readonly string[]>> = {
  production: [
    ...PAGES,
    selectPet.sql,
    selectCategoryPage.sql,
    selectCategory.sql,
    removeCategory.changing.sql,
    selectNewestPetId.sql,
    selectOrder.sql,
    selectDeliveryPage.sql,
    selectDeliveryPageByStatus.sql,
    selectDelivery.sql,
    selectTroubledWebhooks.sql,
    queueAgain.sql,
    dropQueued.sql,
    selectBatchEnd.sql,
    insertDeliveries.sql,
    claimDeliveries("").sql,
    deliveryQueue.settle.sql,
    dueOldest.sql,
    selectBatchLast.sql,
    dueNext.sql,
    selectLogEnd.sql,
    selectRemoved.sql,
    selectOldestEvent.sql,
    searchEventSince.sql,
    countAdded.sql,
    countSold.sql,
    selectWaitingOrders.sql,
    selectForgottenPets.sql,
    selectFirstCategories.sql,
    nextCategoryNumber.sql,
    selectUsedCategories.sql,
  ],
  messages: [
    countFailedMessages.sql,
    selectMessage.sql,
    selectMessagePage.sql,
    claimMessages("").sql,
    messageQueue.settle.sql,
    messageQueue.nextDue.sql,
  ],
  accounts: [selectStoredKeyByHash.sql, selectResetLinks.sql],
};

const cases = Object.entries(STATEMENTS).flatMap(([name, all]) =>
  all.map((sql): [DatabaseName, string] => [name as DatabaseName, sql]),
);

describe("on SQLite", () => {
  let dataDir: string;
  beforeAll(async () => {
    ({ dataDir } = await freshEmbeddedStore());
    for (const name of ["production", "messages", "accounts"] as const) {
      await (await openDatabase(name, { dataDir })).close();
    }
  });

  test.each(cases)("%s: %s", (name, sql) => {
    const connection = new Connection(`${dataDir}/${name}.sqlite`, { readonly: true });
    const plan = connection
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$\d+/g, "1")}`)
      .all()
      .map(({ detail }) => detail);
    connection.close();
    expect(plan.length).toBeGreaterThan(0);
    if (sql === countSold.sql) expect(plan.join()).toContain("event_sold");
    expect(
      plan.filter(
        (step) => step.startsWith("SCAN") && !/^SCAN (CONSTANT ROW|event_end$|(range|page)_)/.test(step),
      ),
    ).toEqual([]);
    if (!sortsFewRows(sql)) expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });
});

describe("on PostgreSQL", () => {
  let sql: SQL;
  beforeAll(async () => {
    const databaseUrl = await freshDatabaseUrl();
    sql = new SQL(databaseUrl, { max: 1 });
    for (const name of ["production", "messages", "accounts"] as const) {
      await (await openDatabase(name, { dataDir: "", databaseUrl })).close();
    }
    await fillTables(sql);
    await sql.unsafe("ANALYZE");
  });
  afterAll(() => sql.close());

  test.each(cases)("%s: %s", async (name, text) => {
    await sql.unsafe(`SET search_path TO ${name}`);
    await sql.unsafe(`PREPARE asked AS ${text}`);
    const types: { count: number }[] = await sql.unsafe(
      "SELECT coalesce(array_length(parameter_types, 1), 0) AS count FROM pg_prepared_statements WHERE name = 'asked'",
    );
    const values = valuesFor(text, Number(types[0]?.count ?? 0));
    const rows: { "QUERY PLAN": string }[] = await sql.unsafe(`EXPLAIN EXECUTE asked${values}`);
    await sql.unsafe("DEALLOCATE asked");
    const plan = rows.map((row) => row["QUERY PLAN"]);
    expect(plan.length).toBeGreaterThan(0);
    if (text === countSold.sql) expect(plan.join()).toContain("event_sold");
    // Reading the whole table `setting` is allowed, because it has only a few rows.
    expect(plan.filter((step) => /Seq Scan (?!on (pg_database|setting)\b)/.test(step))).toEqual([]);
    if (text.includes("AS range_")) expect(plan.filter((step) => step.includes("Bitmap"))).toEqual([]);
    if (!sortsFewRows(text)) expect(plan.filter((step) => /\bSort\b/.test(step))).toEqual([]);
  });
});

/**
 * Returns true if a statement sorts only a few rows, which is allowed: up to 100 rows that are selected by identifier, the rows of
 * several ranges, or the rows of one page.
 */
function sortsFewRows(sql: string): boolean {
  return sql.includes("id IN ($") || /AS (range|page)_/.test(sql);
}

/** Returns example values for the parameters of a statement, as text. */
function valuesFor(text: string, count: number): string {
  const typed = Array.from({ length: count }, (_, index) => {
    const place = `\\$${index + 1}\\b`;
    if (new RegExp(`(environment|status) = ${place}`).test(text))
      return text.includes("environment") ? "'production'" : "'available'";
    if (new RegExp(`\\btype = ${place}`).test(text)) return "'pet.deleted'";
    if (new RegExp(`token_hash = ${place}`).test(text)) return "'\\x00'";
    if (text.includes("FROM message WHERE id")) return "'msg_1'";
    if (text.includes("(created_at, id)") && index === 2) return "'msg_1'";
    return index === count - 1 ? "21" : "10000";
  });
  return count === 0 ? "" : `(${typed.join(", ")})`;
}
