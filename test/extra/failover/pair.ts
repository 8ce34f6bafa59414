import { startCluster } from "./cluster.ts";
import type { FailingCluster } from "./run.ts";

/** Faults of the PostgreSQL primary, after which its standby takes over. */
export const KINDS = ["killed", "frozen", "cut off"] as const;
type Kind = (typeof KINDS)[number];

/**
 * The time during which the primary is cut off from its standby. It is longer than a request waits for the database, so that
 * clients get a 503 and retry.
 */
const CUT_OFF_MS = 10_000;
const FROZEN_MS = 6_000;
/** The time during which two primaries run: the frozen one has been resumed, and the standby has been promoted. */
const THAWED_MS = 3_000;

/**
 * Starts a PostgreSQL primary and a synchronous standby, which takes over after each fault. A primary that is cut off keeps
 * running, so it is killed before the standby takes over. Otherwise it could continue to acknowledge changes that the standby does
 * not have.
 */
export async function startPair(): Promise<FailingCluster<Kind>> {
  const cluster = await startCluster();
  let failed = cluster.primary();
  return {
    ...cluster,
    async fail(kind) {
      failed = cluster.primary();
      if (kind === "frozen") {
        await failed.freeze();
        await Bun.sleep(FROZEN_MS);
        return;
      }
      if (kind === "cut off") {
        cluster.cutOff();
        await Bun.sleep(CUT_OFF_MS);
      }
      await failed.kill();
    },
    recover: cluster.promote,
    async mend(kind) {
      if (kind !== "frozen") return;
      await failed.thaw();
      await Bun.sleep(THAWED_MS);
    },
  };
}
