import type { AwaitedQuery, Database, DataVersion } from "../database.ts";
import { createReadIndex, positionOf } from "./data-version.ts";
import type { Replicas } from "./replicas.ts";

export type ReplicaRead = Replicas["read"];

/** Reads at the primary; with standbys, reads there what has replayed the primary's log up to its end at the read's beginning. */
export function createReads(
  primary: AwaitedQuery,
  replica?: ReplicaRead,
): Pick<Database, "read" | "versions"> {
  const index = createReadIndex(primary, replica !== undefined);
  if (replica === undefined) return { read: primary, versions: index };
  const readAt = (version: DataVersion): AwaitedQuery => {
    const position = positionOf(version);
    return async (statement, values) =>
      (await replica(position, statement, values)) ?? primary(statement, values);
  };
  return {
    async read(statement, values) {
      const version = await index.current();
      return version === undefined ? primary(statement, values) : readAt(version)(statement, values);
    },
    versions: { ...index, readAt },
  };
}
