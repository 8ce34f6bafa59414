import { SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";

/** Creates a client that uses a single connection to a server. The connection is opened when the client is first used. */
export function createClient(url: string, options: SQL.PostgresOrMySQLOptions = {}): SQL {
  // The name of the database is passed explicitly. Otherwise, the driver would prefer the environment variable PGDATABASE to the
  // database in the URL.
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
