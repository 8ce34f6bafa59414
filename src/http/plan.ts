import { leastRole, type Operation } from "../contract/operation.ts";
import { createQueryReader, type QueryReader } from "./parameters.ts";

/** Facts about an operation that every request needs, computed once. */
export interface Plan {
  /** True if a response depends only on the address: not on the date (as for deprecated operations), the role or the key. */
  readonly isCacheable: boolean;
  readonly readQuery: QueryReader;
  /** Reader of an event stream's query, which may only filter events. */
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
