import { Database as Connection } from "bun:sqlite";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DatabaseName, fileOf } from "../src/storage/store-files.ts";

interface SeenQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface SeenQueries extends Array<SeenQuery> {
  readonly dataDir: string;
  stop(): void;
}

/**
 * Records every query that this process runs on one SQLite database, in order. Call this before the database is opened. The default
 * folder is new, because services of earlier tests may still be using other folders while they stop.
 */
export function watchQueries(
  name: DatabaseName,
  dataDir = mkdtempSync(join(tmpdir(), "petstore-")),
): SeenQueries {
  const seen: SeenQuery[] = [];
  const { query } = Connection.prototype;
  Connection.prototype.query = function (this: Connection, sql: string) {
    const statement = query.call(this, sql);
    if (this.filename !== fileOf(name, dataDir)) return statement;
    for (const name of ["all", "get", "run"] as const) {
      const method = statement[name].bind(statement) as (...values: unknown[]) => unknown;
      const noting = (...values: unknown[]) => {
        seen.push({ sql: sql.replace(/\s+/g, " "), values });
        return method(...values);
      };
      Object.defineProperty(statement, name, { value: noting });
    }
    return statement;
  } as typeof query;
  return Object.assign(seen, {
    dataDir,
    stop() {
      Connection.prototype.query = query;
    },
  });
}
