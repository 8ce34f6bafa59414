import { rm } from "node:fs/promises";
import { signUp } from "../../wire/browser-session.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { audit, createLedger, type Faults, type Ledger } from "../crash/ledger.ts";
import { countsOf } from "../crash/run.ts";
import { readPostgres } from "../crash/stored.ts";
import { type Contradictions, createRevocations, type Revocations } from "./checks.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { startLoad } from "./load.ts";

/** Faults of the primary before its standby takes over. */
export const KINDS = ["killed", "frozen", "cut off"] as const;
export type Kind = (typeof KINDS)[number];

interface FailoverOptions {
  /** One failover each, in this order. */
  readonly kinds: readonly Kind[];
  readonly seed: number;
  /** Called with each line of progress. */
  readonly log?: (line: string) => void;
}

export interface FailoverResult extends Faults, Contradictions {
  readonly acknowledged: number;
  /** Milliseconds from each promotion until both processes acknowledge again. */
  readonly gaps: readonly number[];
}

/** Minimum of acknowledged requests before a failover, and after it. */
const ACKNOWLEDGED_MIN = 200;
/** Longer than a request waits for the database, so that clients get 503 and try again. */
const CUT_OFF_MS = 10_000;
const FROZEN_MS = 6_000;
/** Duration of two primaries, once the frozen one is thawed. */
const THAWED_MS = 3_000;

/** Fails the primary of two processes under load, once for each kind; compares stored with acknowledged. */
export async function runFailovers({
  kinds,
  seed,
  log = () => {},
}: FailoverOptions): Promise<FailoverResult> {
  const ledger = createLedger((fault) => log(`  ${fault}`));
  const found: Contradictions = { staleReads: 0, revokedAdmitted: 0 };
  const gaps: number[] = [];
  await using stack = new AsyncDisposableStack();
  const cluster = await startCluster();
  stack.defer(cluster.remove);
  const { servers, key } = await startProcesses(cluster, stack);
  const browser = await signUp(servers[0], "owner@example.com");
  const setup: Setup = {
    ...{ cluster, servers, key, ledger, found },
    revocations: createRevocations(browser, found),
  };
  for (const [index, kind] of kinds.entries()) {
    const gap = await failOverOnce(setup, kind, index + 1, seed + index);
    gaps.push(gap);
    log(`${index + 1} of ${kinds.length}, ${kind}: gap ${Math.round(gap)} ms, ${resultOf(ledger, found)}`);
  }
  return { acknowledged: ledger.acknowledged, ...ledger.faults, ...found, gaps };
}

interface Setup {
  readonly cluster: Cluster;
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly key: string;
  readonly ledger: Ledger;
  readonly found: Contradictions;
  readonly revocations: Revocations;
}

/** The first process uses the proxied address of the primary, the second has both servers in its URL. */
async function startProcesses(cluster: Cluster, stack: AsyncDisposableStack) {
  const { dataDir } = await freshEmbeddedStore();
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  async function startAt(url: string): Promise<ServerProcess> {
    const store = { dataDir, settings: { PETSTORE_DATA_DIR: dataDir, PETSTORE_DATABASE_URL: url } };
    const server = await startProcess({ store });
    stack.defer(server.kill);
    return server;
  }
  const first = await startAt(cluster.address);
  const second = await startAt(cluster.hosts);
  const servers: readonly [ServerProcess, ServerProcess] = [first, second];
  return { servers, key: await makeKey(first.store) };
}

async function failOverOnce(setup: Setup, kind: Kind, round: number, seed: number): Promise<number> {
  const { cluster, servers, ledger, revocations } = setup;
  const load = startLoad({ ...setup, round, seed });
  await load.acknowledges(ACKNOWLEDGED_MIN);
  const primary = cluster.primary();
  await fail(cluster, kind);
  const promotedAt = performance.now();
  const acknowledging = load.acknowledgesAtBoth();
  await cluster.promote();
  const gap = (await acknowledging) - promotedAt;
  if (kind === "frozen") {
    await primary.thaw();
    await Bun.sleep(THAWED_MS);
  }
  await load.acknowledges(ACKNOWLEDGED_MIN);
  await load.stop();
  await revocations.tryAll(servers);
  audit(ledger, await readPostgres(cluster.primary().url));
  await cluster.rejoin();
  return gap;
}

/** A primary that is cut off runs on, and is killed before the promotion: it could acknowledge alone. */
async function fail(cluster: Cluster, kind: Kind): Promise<void> {
  const primary = cluster.primary();
  if (kind === "frozen") {
    await primary.freeze();
    await Bun.sleep(FROZEN_MS);
    return;
  }
  if (kind === "cut off") {
    cluster.cutOff();
    await Bun.sleep(CUT_OFF_MS);
  }
  await primary.kill();
}

/** `acknowledged 4711, lost 0, …, stale reads 0, revoked keys let in 0` */
export function resultOf(
  counts: Parameters<typeof countsOf>[0],
  { staleReads, revokedAdmitted }: Contradictions,
): string {
  return `${countsOf(counts)}, stale reads ${staleReads}, revoked keys let in ${revokedAdmitted}`;
}
