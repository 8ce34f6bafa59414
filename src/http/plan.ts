import { leastRole, type Operation } from "../contract/operation.ts";
import { createQueryReader, type QueryReader } from "./parameters.ts";

/** Facts about an operation that every request needs. They are computed only once. */
export interface Plan {
  /**
   * True if the response depends only on the address and the data. The response of a deprecated operation also depends on the
   * date, and some responses depend on the role or the key.
   */
  readonly isCacheable: boolean;
  readonly readQuery: QueryReader;
  /** Parses the query of an event stream. It may contain only filters. */
  readonly readStreamQuery: QueryReader;
}

export function planOf(operation: Operation): Plan {
  const { method, deprecation, isCached = true, query = {}, success } = operation;
  const filters = Object.entries(query).filter(([name]) => success.stream?.query.includes(name));
  return {
    isCacheable: method === "GET" && leastRole(operation) === "viewer" && !deprecation && isCached,
    readQuery: createQueryReader(query),
    readStreamQuery: createQueryReader(Object.fromEntries(filters)),
  };
}
