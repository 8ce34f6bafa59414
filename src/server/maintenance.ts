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

export const KEY_LOG_RETENTION_MS = 30 * 24 * 3_600_000; // a key's logged requests and refusals are deleted at this age
const MAINTENANCE_INTERVAL_MS = 400; // interval of the timer, short enough that an event stream ends within a second after its key was revoked
export const BATCHES_INTERVAL_MS = 3_600_000; // interval of deletions of old rows, and of other changes in batches
export const BATCHES_PAUSE_MS = 50; // pause between two batches, so that requests come first
const MAIL_RETENTION_MS = 30 * 24 * 3_600_000; // mails that were sent, or never will be, are deleted at this age
export const FAILED_SIGN_IN_RETENTION_MS = 90 * 24 * 3_600_000; // failed sign-ins are deleted from the audit log at this age; other entries stay

/**
 * Changes the rows of a table, a batch in each transaction. A batch has the first rows after a position, such as an identifier,
 * and yields the positions of the rows in it; none if there are no more. Begun without a position, each batch would again pass
 * all the rows that were deleted before it: a database server keeps them while an older transaction, such as a dump, runs.
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
  deletingOnce("counts of attempts to sign in", LOGIN_COUNT_RETENTION_MS, pruneAttempts),
  deletingOnce("failed attempts to sign in", FAILED_SIGN_IN_RETENTION_MS, pruneFailedSignIns),
  deletingOnce("known addresses", KNOWN_ADDRESS_MS, pruneKnownAddresses),
  deletingOnce("invitations and password resets", 0, pruneLinks),
  deletingOnce("tokens of mailed links", 0, pruneMailedTokens),
  deletingOnce("mails", MAIL_RETENTION_MS, pruneMails),
  deleting("attempts to send mails", MAIL_RETENTION_MS, pruneDeliveryAttempts),
  deletingOnce("challenges", 0, pruneChallenges),
  deletingOnce("requests of keys", KEY_LOG_RETENTION_MS, pruneKeyActivity),
];

/**
 * Tables that are gone over in batches, in each kind of database, an hour after the start and then every hour. Rows older than
 * `historyDays` are deleted; if it is 0, everything is kept.
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
  /** True for a task that runs once more when the process ends. */
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
     * Starts the timer. This must be called last: resources close in reverse order, so the timer stops before anything that its
     * tasks use is closed.
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

/** Periodic tasks of a process on one timer. Different tasks run concurrently, but a task never runs twice at the same time. */
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
