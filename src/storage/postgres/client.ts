import { SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";

/** Creates a client of the driver with one connection to a server, which is opened at its first use. */
export function createClient(url: string, options: SQL.PostgresOrMySQLOptions = {}): SQL {
  // The driver would use PGDATABASE in preference to the database named in the URL.
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  return new SQL({
    url,
    ...(database !== "" && { database }),
    max: 1,
    connectionTimeout: CONNECT_DEADLINE_SECONDS,
    ...options,
    connection: { application_name: "petstore", ...options.connection },
  });
}
