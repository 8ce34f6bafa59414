import type { Int64 } from "exact-json/int64";
import { pruneFailedSignIns } from "../accounts/audit/store.ts";
import { pruneLinks, pruneMailedTokens } from "../accounts/invitations/store.ts";
import { pruneMails } from "../accounts/mail/store.ts";
import { pruneChallenges } from "../accounts/passkeys/store.ts";
import { KNOWN_ADDRESS_MS, LOGIN_COUNT_RETENTION_MS } from "../accounts/sessions/login-rules.ts";
import { pruneAttempts, pruneKnownAddresses } from "../accounts/sessions/login-store.ts";
import { pruneSessions } from "../accounts/sessions/session-store.ts";
import type { Config } from "../config.ts";
import { pruneDeliveryAttempts } from "../delivery-queue/store.ts";
import { pruneEvents } from "../events/store.ts";
import { pruneKeyActivity } from "../keys/activity-store.ts";
import { DAY_MS } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import { type Database, DatabaseClosedError, type Query } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import type { Logger } from "../telemetry/logger.ts";
import { pruneDeliveries, UNNEEDED_EVENTS } from "../webhooks/queue-store.ts";

export const KEY_LOG_RETENTION_MS = 30 * 24 * 3_600_000; // time after which entries about requests and refusals are deleted from an API key's log
const MAINTENANCE_INTERVAL_MS = 400; // interval of the timer for periodic tasks; it is short, because the event streams of a revoked key must end within a second
export const BATCHES_INTERVAL_MS = 3_600_000; // interval at which tables are processed in batches, for example to delete old rows
export const BATCHES_PAUSE_MS = 50; // pause between two batches, which lets requests run first
const MAIL_RETENTION_MS = 30 * 24 * 3_600_000; // age at which an email is deleted if it has been sent or will never be sent
export const FAILED_SIGN_IN_RETENTION_MS = 90 * 24 * 3_600_000; // age at which failed sign-ins are deleted from the audit log; its other entries are kept

/**
 * Work that goes through the rows of a table in batches, each in its own transaction.
 *
 * `run` processes one batch: the first rows after the position `after` (such as an identifier). It returns their positions, or an
 * empty list if no rows are left.
 *
 * The position lets each batch skip the rows that earlier batches have deleted. A database server keeps deleted rows as long as
 * an older transaction runs (such as a dump), so a batch that starts at the beginning would read all of them again.
 */
type Batches = readonly [
  name: string,
  run: (query: Query, now: number, after: Int64) => Promise<readonly Int64[]>,
];

const deletingOnce = (name: string, keptMs: number, statement: Statement<[before: number]>): Batches => [
  name,
  async (query, now) => {
    await query(statement, [now - keptMs]);
    return [];
  },
];

const deleting = (
  name: string,
  keptMs: number,
  ...statements: readonly Statement<[before: number, after: Int64], Int64>[]
): Batches => [
  name,
  async (query, now, after) => {
    let deleted: readonly Int64[] = [];
    for (const statement of statements) deleted = await query(statement, [now - keptMs, after]);
    return deleted;
  },
];

const OF_ACCOUNTS: readonly Batches[] = [
  deletingOnce("sessions", 0, pruneSessions),
  deletingOnce("counts of sign-in attempts", LOGIN_COUNT_RETENTION_MS, pruneAttempts),
  deletingOnce("failed attempts to sign in", FAILED_SIGN_IN_RETENTION_MS, pruneFailedSignIns),
  deletingOnce("known addresses", KNOWN_ADDRESS_MS, pruneKnownAddresses),
  deletingOnce("invitations and password resets", 0, pruneLinks),
  deletingOnce("tokens of mailed links", 0, pruneMailedTokens),
  deletingOnce("mails", MAIL_RETENTION_MS, pruneMails),
  deleting("attempts to send emails", MAIL_RETENTION_MS, pruneDeliveryAttempts),
  deletingOnce("challenges", 0, pruneChallenges),
  deletingOnce("requests of keys", KEY_LOG_RETENTION_MS, pruneKeyActivity),
];

/**
 * Lists the tables that are processed in batches, for each kind of database. The batches run every hour, and for the first time one
 * hour after the start. Rows older than `historyDays` are deleted. If `historyDays` is 0, all rows are kept.
 */
export function batchesOf({ historyDays }: Pick<Config, "historyDays">) {
  const keptMs = historyDays * DAY_MS;
  const store = [
    deleting("events", keptMs, ...pruneEvents(UNNEEDED_EVENTS)),
    deleting("deliveries", keptMs, ...pruneDeliveries),
  ];
  const messages = [deleting("attempts", keptMs, pruneDeliveryAttempts)];
  return {
    accounts: OF_ACCOUNTS,
    ...(historyDays === 0 ? { store: [], messages: [] } : { store, messages }),
  };
}

interface Task {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown> | undefined;
  /** True if the task also runs when the process ends. */
  readonly isLast?: true;
}

interface MaintenanceDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly resources: AsyncDisposableStack;
}

export function createMaintenance({ clock, log, resources }: MaintenanceDeps) {
  const stop = new AbortController();
  const tasks: { readonly task: Task; dueAt: number; running?: Promise<void> | undefined }[] = [];

  async function run({ name, run }: Pick<Task, "name" | "run">) {
    try {
      await run();
    } catch (err) {
      if (err instanceof DatabaseClosedError) return;
      log.error({ err, task: name }, "maintenance failed; will retry");
    }
  }

  function runDue() {
    const now = clock.monotonicMs();
    for (const each of tasks) {
      if (each.running !== undefined || now < each.dueAt) continue;
      each.dueAt = now + each.task.everyMs;
      each.running = run(each.task).finally(() => {
        each.running = undefined;
      });
    }
  }

  async function runUntilStopped() {
    for (;;) {
      await clock.wait(MAINTENANCE_INTERVAL_MS, stop.signal);
      if (stop.signal.aborted) return;
      runDue();
    }
  }

  function add(task: Task) {
    tasks.push({ task, dueAt: clock.monotonicMs() + task.everyMs });
  }

  const inBatches: (readonly [Database, Batches])[] = [];
  add({
    name: "batches",
    everyMs: BATCHES_INTERVAL_MS,
    async run() {
      for (const [database, batches] of inBatches)
        await run({
          name: `batches of ${batches[0]}`,
          run: () => runBatches(database, batches, clock, stop.signal),
        });
    },
  });
  return {
    add,
    addBatches: (database: Database, added: readonly Batches[]) =>
      void inBatches.push(...added.map((batches) => [database, batches] as const)),
    /**
     * Starts the timer of the periodic tasks. Call this last: resources are closed in reverse order, so the timer stops before
     * the resources that its tasks use are closed.
     */
    start() {
      const running = runUntilStopped();
      resources.defer(async () => {
        stop.abort();
        await running;
        await Promise.all(tasks.map((each) => each.running));
        for (const { task } of tasks) if (task.isLast) await run(task);
      });
    },
  };
}

/**
 * The periodic tasks of a process, which share one timer. Different tasks can run at the same time, but the same task never runs
 * twice at once.
 */
export type Maintenance = ReturnType<typeof createMaintenance>;

async function runBatches(database: Database, [, run]: Batches, clock: Clock, signal: AbortSignal) {
  const now = clock.now();
  let after: Int64 = 0;
  while (!signal.aborted) {
    const positions = await database.write((query) => run(query, now, after));
    if (positions.length === 0) return;
    after = positions.reduce((last, position) => (position > last ? position : last));
    await clock.wait(BATCHES_PAUSE_MS, signal);
  }
}
