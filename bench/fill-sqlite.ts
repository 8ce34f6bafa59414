import { Database } from "bun:sqlite";
import { ANIMAL } from "./animals.ts";

/** Adds animals to a file that has the tables. The indexes are dropped and rebuilt, which is faster. */
export function fillSqlite(file: string, animals: number): void {
  using db = new Database(file);
  db.run("PRAGMA synchronous = OFF");
  db.run("PRAGMA cache_size = -262144");
  db.transaction(() => {
    const indexes = db
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pet' AND sql IS NOT NULL",
      )
      .all();
    for (const { name } of indexes) db.run(`DROP INDEX ${name}`);
    db.run(
      `INSERT INTO pet (name, category_id, status) SELECT ${ANIMAL}
        FROM (WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?1) SELECT n FROM count)`,
      [animals],
    );
    for (const { sql } of indexes) db.run(sql);
  })();
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}
