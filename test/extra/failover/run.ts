import { rm } from "node:fs/promises";
import { hasPooler } from "../../machine.ts";
import { signUp } from "../../wire/browser-session.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { makeKey, type Server } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { audit, createLedger, type Ledger } from "../crash/ledger.ts";
import { countsOf } from "../crash/run.ts";
import { readPostgres } from "../crash/stored.ts";
import { startPooler } from "../ha/pooler.ts";
import { type Contradictions, createRevocations, type Revocations } from "./checks.ts";
import { startLoad } from "./load.ts";
import { type Compare, type Deliveries, startWatch } from "./watch.ts";

/** A database cluster in which the test causes certain kinds of faults. */
export interface FailingCluster<Kind extends string> {
  /** The URL of the current primary. It leads through a proxy. */
  readonly address: string;
  /** A database URL that names all servers of the cluster. */
  readonly hosts: string;
  primary(): { readonly url: string };
  fail(kind: Kind): Promise<void>;
  /** Resolves once the cluster has recovered from the fault, usually with a new primary. */
  recover(kind: Kind): Promise<void>;
  mend(kind: Kind): Promise<void>;
  /** Resolves once the cluster is ready for the next fault. */
  rejoin(): Promise<void>;
  remove(): Promise<void>;
}

interface FailoverOptions<Kind extends string> {
  readonly start: () => Promise<FailingCluster<Kind>>;
  /** The faults that the test causes, in this order. */
  readonly kinds: readonly Kind[];
  readonly seed: number;
  /** The prefix of the names of the store's schemas. */
  readonly prefix?: string;
  readonly log?: (line: string) => void;
}

type Found = Contradictions & Deliveries;

export interface FailoverResult {
  readonly ledger: Ledger;
  readonly found: Found;
  /**
   * The longest times in which no request was acknowledged, in milliseconds: one array for each fault, with one number for each
   * process.
   */
  readonly gaps: readonly (readonly number[])[];
}

/** The names of the processes, in the order of `gaps`. Each says how the process reaches the database. */
const ROWS = ["proxied", "several hosts", "PgBouncer"];

/** The minimum number of acknowledged requests before and after each failover. */
const ACKNOWLEDGED_MIN = 200;

/**
 * Causes one fault of each kind in a database cluster while several processes are under load. Then compares the stored data with
 * the acknowledged requests.
 */
export async function runFailovers<Kind extends string>({
  start,
  kinds,
  seed,
  prefix = "",
  log = () => {},
}: FailoverOptions<Kind>): Promise<FailoverResult> {
  const ledger = createLedger((fault) => log(`  ${fault}`));
  const found: Found = {
    ...{ staleReads: 0, revokedAdmitted: 0 },
    ...{ eventsMissed: 0, eventsDoubled: 0, webhooksMissed: 0, webhooksOutOfOrder: 0 },
  };
  const gaps: (readonly number[])[] = [];
  await using stack = new AsyncDisposableStack();
  const cluster = await start();
  stack.defer(cluster.remove);
  const { servers, key } = await startProcesses(cluster, prefix, stack);
  const compare = await startWatch(servers, key, prefix, stack);
  const browser = await signUp(servers[0], "owner@example.com");
  const setup: Setup<Kind> = {
    ...{ cluster, servers, key, ledger, found, compare, prefix },
    revocations: createRevocations(browser, found),
  };
  for (const [index, kind] of kinds.entries()) {
    const gap = await failOverOnce(setup, kind, index + 1, seed + index);
    gaps.push(gap);
    log(`${index + 1} of ${kinds.length}, ${kind}: gap ${longestOf([gap])}, ${resultOf(ledger, found)}`);
  }
  return { ledger, found, gaps };
}

interface Setup<Kind extends string> {
  readonly cluster: FailingCluster<Kind>;
  readonly servers: readonly Server[];
  readonly key: string;
  readonly ledger: Ledger;
  readonly found: Found;
  readonly compare: Compare;
  readonly prefix: string;
  readonly revocations: Revocations;
}

/** The first process and PgBouncer reach the primary through the proxy. The URL of the second process names all servers. */
async function startProcesses<Kind extends string>(
  cluster: FailingCluster<Kind>,
  prefix: string,
  stack: AsyncDisposableStack,
) {
  const { dataDir } = await freshEmbeddedStore();
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  async function startAt(url: string, settings = {}): Promise<ServerProcess> {
    const own = {
      PETSTORE_DATA_DIR: dataDir,
      PETSTORE_DATABASE_URL: url,
      PETSTORE_DATABASE_SCHEMA_PREFIX: prefix,
      ...settings,
    };
    const env = { PETSTORE_WEBHOOKS_PRIVATE: "allow" };
    const server = await startProcess({ store: { dataDir, settings: own }, env });
    stack.defer(server.kill);
    return server;
  }
  const first = await startAt(cluster.address);
  const second = await startAt(cluster.hosts);
  const servers: [ServerProcess, ...ServerProcess[]] = [first, second];
  if (hasPooler) {
    const pooler = await startPooler(cluster.address);
    stack.defer(pooler.remove);
    const url = pooler.urlOf(cluster.address);
    servers.push(await startAt(url, { PETSTORE_DATABASE_DIRECT_URL: cluster.hosts }));
  }
  return { servers, key: await makeKey(first.store) };
}

async function failOverOnce<Kind extends string>(
  setup: Setup<Kind>,
  kind: Kind,
  round: number,
  seed: number,
) {
  const { cluster, servers, ledger, revocations, found, compare } = setup;
  const load = startLoad({ ...setup, round, seed });
  await load.acknowledges(ACKNOWLEDGED_MIN);
  await cluster.fail(kind);
  const pauses = load.measurePauses();
  await cluster.recover(kind);
  await load.acknowledgesAtEach();
  await cluster.mend(kind);
  await load.acknowledges(ACKNOWLEDGED_MIN);
  const gap = pauses();
  await load.stop();
  await revocations.tryAll(servers);
  audit(ledger, await readPostgres(cluster.primary().url, setup.prefix));
  Object.assign(found, await compare(cluster.primary().url));
  await cluster.rejoin();
  return gap;
}

/** Returns the results as a line of text: `acknowledged 4711, lost 0, …, stale reads 0, …` */
export function resultOf(ledger: Ledger, found: Found): string {
  const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const counts = Object.entries(found).map(([name, count]) => `${words(name)} ${count}`);
  return [countsOf(ledger), ...counts].join(", ");
}

/** Returns the longest interruption of each process as text: `proxied 0.4 s, several hosts 0.6 s, PgBouncer 0.5 s` */
export function longestOf(gaps: FailoverResult["gaps"]): string {
  const rows = ROWS.slice(0, gaps[0]?.length).map((row, index) => {
    const longest = Math.max(...gaps.map((gap) => gap[index] ?? 0));
    return `${row} ${(longest / 1000).toFixed(1)} s`;
  });
  return rows.join(", ");
}
