import { expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import { BATCHES_INTERVAL_MS, BATCHES_PAUSE_MS, createMaintenance } from "../../src/server/maintenance.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { int64Column, numberColumn } from "../../src/storage/row.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { createTestClock } from "../clock.ts";
import { onEachEngine } from "../test-app.ts";
import { until } from "../until.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Tests the batches that fill a new database column after a migration has added it, as in docs/contributing/migrations.md.

const ANIMALS = 2_500;
const CLEARED = 3; // an animal that an older program changes after its new column has been filled

const addColumn: Statement<[]> = statement("ALTER TABLE pet ADD COLUMN name_length INTEGER");
const addAnimals: Statement<[]> = statement(
  `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${ANIMALS})
    INSERT INTO pet (name, category_id) SELECT CAST(n AS TEXT), 1 FROM c ORDER BY n`,
);
const clear: Statement<[]> = statement(`UPDATE pet SET name_length = NULL WHERE id = ${CLEARED}`);
const countWrong: Statement<[], number> = statement(
  "SELECT count(*) AS wrong FROM pet WHERE name_length IS NULL OR name_length <> length(name)",
  numberColumn("wrong"),
);

const BATCH = "SELECT id FROM pet WHERE id > $1 ORDER BY id LIMIT (1000)";
const fillNameLengths: Statement<[after: Int64]> = statement(
  `UPDATE pet SET name_length = length(name) WHERE id IN (${BATCH}) AND name_length IS NULL`,
);
const selectBatchEnd: Statement<[after: Int64], Int64> = statement(
  `SELECT max(id) AS id FROM (${BATCH}) AS batch HAVING count(*) = 1000`,
  int64Column("id"),
);

onEachEngine((settings) => {
  test("a column is filled in batches, and again where an older program has emptied it", async () => {
    const { dataDir } = await freshEmbeddedStore();
    const { databaseUrl } = await settings();
    await using resources = new AsyncDisposableStack();
    const database = await openDatabase("production", { dataDir, databaseUrl });
    resources.defer(() => database.close());
    await database.run(addColumn, []);
    await database.run(addAnimals, []);
    const clock = createTestClock();
    const failures: unknown[] = [];
    const log = { error: (failure: unknown) => failures.push(failure) };
    const maintenance = createMaintenance({ clock, log, resources });
    maintenance.addBatches(database, [
      [
        "lengths of names",
        async (query, _now, after) => {
          await query(fillNameLengths, [after]);
          return query(selectBatchEnd, [after]);
        },
      ],
    ]);
    maintenance.start();
    const wrong = async () => (await database.read(countWrong, []))[0];
    const untilFilled = async () => {
      await clock.advance(BATCHES_INTERVAL_MS);
      await until(async () => {
        await clock.advance(BATCHES_PAUSE_MS);
        return (await wrong()) === 0;
      });
    };
    await untilFilled();
    await database.run(clear, []);
    expect(await wrong()).toBe(1);
    await untilFilled();
    expect(failures).toEqual([]);
  });
});
