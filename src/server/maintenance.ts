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
import { type Database, DatabaseClosedError } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import type { Logger } from "../telemetry/logger.ts";
import { pruneDeliveries, UNNEEDED_EVENTS } from "../webhooks/queue-store.ts";

export const KEY_LOG_RETENTION_MS = 30 * 24 * 3_600_000; // a key's logged requests and refusals are deleted at this age
const MAINTENANCE_INTERVAL_MS = 400; // interval of the timer, short enough that an event stream ends within a second after its key was revoked
export const PRUNE_INTERVAL_MS = 3_600_000; // interval of deletions of old rows
export const PRUNE_PAUSE_MS = 50; // pause between two batches of deletions, so that requests come first
const MAIL_RETENTION_MS = 30 * 24 * 3_600_000; // mails that were sent, or never will be, are deleted at this age
export const FAILED_SIGN_IN_RETENTION_MS = 90 * 24 * 3_600_000; // failed sign-ins are deleted from the audit log at this age; other entries stay

/**
 * Statements that delete a batch of the oldest rows in one transaction. The number of rows that the last statement yields tells
 * whether there may be more.
 */
type Pruning = readonly [
  name: string,
  keptMs: number,
  ...statements: readonly Statement<[before: number], unknown>[],
];

const OF_ACCOUNTS: readonly Pruning[] = [
  ["sessions", 0, pruneSessions],
  ["counts of attempts to sign in", LOGIN_COUNT_RETENTION_MS, pruneAttempts],
  ["failed attempts to sign in", FAILED_SIGN_IN_RETENTION_MS, pruneFailedSignIns],
  ["known addresses", KNOWN_ADDRESS_MS, pruneKnownAddresses],
  ["invitations and password resets", 0, pruneLinks],
  ["tokens of mailed links", 0, pruneMailedTokens],
  ["mails", MAIL_RETENTION_MS, pruneMails],
  ["attempts to send mails", MAIL_RETENTION_MS, pruneDeliveryAttempts],
  ["challenges", 0, pruneChallenges],
  ["requests of keys", KEY_LOG_RETENTION_MS, pruneKeyActivity],
];

/** Deletions of rows older than `PETSTORE_HISTORY_DAYS` (`days`). If it is 0, everything is kept. */
function ofHistory(days: number) {
  const keptMs = days * DAY_MS;
  const attempts: Pruning = ["attempts", keptMs, pruneDeliveryAttempts];
  const store: readonly Pruning[] = [
    ["events", keptMs, ...pruneEvents(UNNEEDED_EVENTS)],
    ["deliveries", keptMs, ...pruneDeliveries],
  ];
  return days === 0 ? { store: [], messages: [] } : { store, messages: [attempts] };
}

interface Task {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown> | undefined;
  /** True for a task that runs once more when the process ends. */
  readonly isLast?: true;
}

interface MaintenanceDeps {
  readonly config: Pick<Config, "historyDays">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly resources: AsyncDisposableStack;
}

export function createMaintenance({ config, clock, log, resources }: MaintenanceDeps) {
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

  const prunings: (readonly [Database, Pruning])[] = [];
  add({
    name: "pruning",
    everyMs: PRUNE_INTERVAL_MS,
    async run() {
      for (const [database, pruning] of prunings)
        await run({
          name: `pruning of ${pruning[0]}`,
          run: () => prune(database, pruning, clock, stop.signal),
        });
    },
  });
  return {
    add,
    pruneAccounts: (accounts: Database) =>
      void prunings.push(...OF_ACCOUNTS.map((pruning) => [accounts, pruning] as const)),
    pruneHistory: (database: Database, of: "store" | "messages") =>
      void prunings.push(...ofHistory(config.historyDays)[of].map((pruning) => [database, pruning] as const)),
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

async function prune(
  database: Database,
  [, keptMs, ...statements]: Pruning,
  clock: Clock,
  signal: AbortSignal,
) {
  const before = clock.now() - keptMs;
  const deleteSome = () =>
    database.write(async (query) => {
      let deleted = 0;
      for (const statement of statements) deleted = (await query(statement, [before])).length;
      return deleted;
    });
  while (!signal.aborted && (await deleteSome()) > 0) await clock.wait(PRUNE_PAUSE_MS, signal);
}
