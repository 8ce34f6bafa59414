import { pruneFailedSignIns } from "../accounts/audit/store.ts";
import { pruneInvitations, prunePasswordResets } from "../accounts/invitations/store.ts";
import { pruneChallenges } from "../accounts/passkeys/store.ts";
import { pruneAttempts, pruneKnownAddresses } from "../accounts/sessions/login-throttle-store.ts";
import { pruneSessions } from "../accounts/sessions/session-store.ts";
import { pruneDeliveryAttempts } from "../attempts/store.ts";
import type { Config } from "../config.ts";
import { pruneEvents } from "../events/store.ts";
import { pruneKeyActivity } from "../keys/activity-store.ts";
import { DAY_MS, KNOWN_ADDRESS_MS, LOGIN_COUNT_RETENTION_MS } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import type { Logger } from "../telemetry/logger.ts";
import { pruneDeliveries } from "../webhooks/queue-store.ts";

export const KEY_LOG_RETENTION_MS = 30 * 24 * 3_600_000; // of a key's request or refusal; then it is deleted
const MAINTENANCE_INTERVAL_MS = 1_000; // between looks at what is due: the shortest `PETSTORE_BACKUP_EVERY`
export const PRUNE_INTERVAL_MS = 3_600_000; // between deletions of what is old
export const PRUNE_PAUSE_MS = 50; // between two batches of them: requests go first
export const FAILED_SIGN_IN_RETENTION_MS = 90 * 24 * 3_600_000; // in the audit list, which keeps all else for good

/**
 * Rows that are deleted at an age. The statements, in one transaction, delete some of them, the oldest first; the last one yields
 * each where others may remain.
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
  ["invitations", 0, pruneInvitations],
  ["password resets", 0, prunePasswordResets],
  ["challenges", 0, pruneChallenges],
  ["requests of keys", KEY_LOG_RETENTION_MS, pruneKeyActivity],
];

/** What `PETSTORE_HISTORY_DAYS` keeps; 0 keeps all. */
function ofHistory(days: number) {
  const keptMs = days * DAY_MS;
  const attempts: Pruning = ["attempts", keptMs, pruneDeliveryAttempts];
  const store: readonly Pruning[] = [
    ["events", keptMs, pruneEvents],
    ["deliveries", keptMs, ...pruneDeliveries],
  ];
  return days === 0 ? { store: [], messages: [] } : { store, messages: [attempts] };
}

interface Task {
  /** For the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Yields whether more remains: the other tasks have their turn first. */
  run(): Promise<boolean>;
  /** Whether it also runs at the end of the process. */
  readonly isLast?: true;
}

/** What a process does from time to time, one after the other, by one timer. */
export interface Maintenance {
  add(task: Task): void;
  pruneAccounts(accounts: Database): void;
  pruneHistory(database: Database, of: "store" | "messages"): void;
  /** Starts the timer. Its end is deferred: this is called last, so that it ends before what the tasks use is closed. */
  start(): void;
}

interface MaintenanceDeps {
  readonly config: Pick<Config, "historyDays">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly resources: AsyncDisposableStack;
}

export function createMaintenance({ config, clock, log, resources }: MaintenanceDeps): Maintenance {
  const stop = new AbortController();
  const tasks: { readonly task: Task; dueAt: number }[] = [];

  async function run({ name, run }: Task): Promise<boolean> {
    return run().catch((err: unknown) => {
      log.error({ err, task: name }, "maintenance failed; that is tried again");
      return false;
    });
  }

  /** Yields whether more remains. */
  async function runSome(): Promise<boolean> {
    let isMore = false;
    for (const each of tasks) {
      const now = clock.monotonicMs();
      if (stop.signal.aborted || now < each.dueAt) continue;
      if (await run(each.task)) isMore = true;
      else each.dueAt = now + each.task.everyMs;
    }
    return isMore && !stop.signal.aborted;
  }

  async function runDue(): Promise<void> {
    // Requests go first.
    while (await runSome()) await clock.wait(PRUNE_PAUSE_MS, stop.signal);
  }

  function add(task: Task): void {
    tasks.push({ task, dueAt: clock.monotonicMs() + task.everyMs });
  }

  function prune(database: Database, [name, keptMs, ...statements]: Pruning): void {
    const deleteSome = () =>
      database.write(async (query) => {
        let deleted = 0;
        for (const statement of statements) deleted = (await query(statement, [clock.now() - keptMs])).length;
        return deleted > 0;
      });
    add({ name: `pruning of ${name}`, everyMs: PRUNE_INTERVAL_MS, run: deleteSome });
  }

  return {
    add,
    pruneAccounts(accounts) {
      for (const pruning of OF_ACCOUNTS) prune(accounts, pruning);
    },
    pruneHistory(database, of) {
      for (const pruning of ofHistory(config.historyDays)[of]) prune(database, pruning);
    },
    start() {
      const running = startInterval(clock, MAINTENANCE_INTERVAL_MS, runDue, () => {});
      resources.defer(async () => {
        stop.abort();
        await running.close();
        for (const { task } of tasks) if (task.isLast) await run(task);
      });
    },
  };
}
