import { expect, test } from "bun:test";
import { selectIndexed } from "../../../src/pets/word-store.ts";
import { numberColumn, singleRow } from "../../../src/storage/row.ts";
import { noRows } from "../../../src/storage/statement.ts";
import { until } from "../../until.ts";
import { openServed } from "../../wire/events.ts";
import { onBothEngines } from "../../wire/server.ts";

// Words are kept in many transactions; processes are killed between any two of them.

const ANIMALS = 60_000;
const KILLS = 6;
/** A process that finds a killed one's step waits before it goes on. */
const TIMEOUT_MS = 300_000;

onBothEngines(({ freshStore, startProcess }) => {
  test(
    "after kills in the middle, each animal's words are there once",
    async () => {
      const store = await freshStore();
      await (await startProcess({ store })).stop();
      const database = await openServed({ store });
      const sql = `INSERT INTO pet (name, category_id) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ANIMALS})
        SELECT 'Animal a' || i || ' b' || (i % 700), 1 FROM n`;
      await database.run({ sql, decode: noRows }, []);
      const indexed = async () => singleRow(await database.read(selectIndexed, []));
      for (let kill = 0; kill < KILLS; kill++) {
        const { step } = await indexed();
        const server = await startProcess({ store });
        await until(async () => (await indexed()).step > step + BigInt(7 * kill));
        await server.kill();
      }
      expect((await indexed()).lastId).toBeLessThan(BigInt(ANIMALS));
      const last = await startProcess({ store });
      await until(async () => (await indexed()).waiting === 0);
      await last.stop();
      const countIn = async (from: string) => {
        const sql = `SELECT count(*) AS count FROM ${from}`;
        return singleRow(await database.read({ sql, decode: (row) => numberColumn(row, "count") }, []));
      };
      const own = "pet_id = id AND word IN ('animal', 'a' || id, 'b' || (id % 700))";
      expect(await countIn(`pet JOIN pet_word ON ${own}`)).toBe(3 * ANIMALS);
      expect(await countIn("pet_word")).toBe(3 * ANIMALS);
      await database.close();
    },
    TIMEOUT_MS,
  );
});
