import { Database as Connection } from "bun:sqlite";

export interface SeenQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Every query that this process runs on one embedded database from now on, in order; nothing else about it is changed. To be
 * called before the database is opened.
 */
export function watchQueries(file: string): SeenQuery[] & { stop(): void } {
  const seen: SeenQuery[] = [];
  const { query } = Connection.prototype;
  Connection.prototype.query = function (this: Connection, sql: string) {
    const statement = query.call(this, sql);
    if (!this.filename.endsWith(file)) return statement;
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
    stop() {
      Connection.prototype.query = query;
    },
  });
}
