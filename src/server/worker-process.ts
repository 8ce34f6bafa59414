import type { Subprocess } from "bun";
import { supervisedEnvironment } from "../config/environment.ts";
import { selfCommand } from "../platform/executable.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Listener, StartError } from "./listener.ts";

const WORKER_START_DEADLINE_MS = 20_000; // a worker process is killed if it does not serve requests within this time
const WORKER_CHECK_MS = 500; // interval at which the supervisor checks whether worker processes have sent heartbeats
const WORKER_SILENT_MS = 3_000; // a worker process that has sent no heartbeat for this long is killed and replaced
const METRICS_DEADLINE_MS = 2_000; // if a worker process takes longer than this to send its metrics, they are omitted

/** A worker process, as its supervisor sees it. */
export interface WorkerProcess {
  readonly process: Subprocess;
  readonly ready: Promise<void>;
  /** Sends a message to the worker process. Does nothing if the process has ended. */
  send(message: SupervisorMessage): void;
  /** The metrics of the process as JSON, or undefined if the process does not answer in time. */
  metrics(): Promise<object | undefined>;
}

interface WorkerOptions {
  /** The ports of the worker pool. Every worker process opens all of them. */
  readonly listeners: readonly Listener[];
  readonly log: Logger;
  /**
   * Returns a time (`performance.now()`): this process knows all changes that were made before that time. Workers get it as an
   * age ("… ms ago"), because each process has a different `performance.now()`.
   */
  readonly receivedUpTo: (timeline: number) => number;
}

/**
 * Returns the arguments of this process without the port options. The supervisor adds port options, and no option may be given
 * twice.
 */
function argumentsWithoutPorts(): readonly string[] {
  const all = process.argv.slice(2);
  return all.filter(
    (one, index) => !/^--\w+-port(=|$)/.test(one) && !/^--\w+-port$/.test(all[index - 1] ?? ""),
  );
}

export function startWorker({ listeners, log, receivedUpTo }: WorkerOptions): WorkerProcess {
  const ready = Promise.withResolvers<void>();
  /**
   * Functions that resolve waiting requests for metrics, oldest first. The worker answers in order, so each answer is for the
   * oldest request.
   */
  const waiting: ((metrics: object | undefined) => void)[] = [];
  const portFlags = listeners.flatMap(({ name, port }) => [`--${name}-port`, String(port)]);
  const child = Bun.spawn([...selfCommand(), ...argumentsWithoutPorts(), ...portFlags], {
    env: supervisedEnvironment(),
    stdio: ["ignore", "inherit", "inherit"],
    ipc(message: WorkerMessage) {
      if (message.kind === "ready") {
        ready.resolve();
        watch.begin();
      } else if (message.kind === "metrics") waiting.shift()?.(message.metrics);
      else {
        watch.heard();
        const ageMs = performance.now() - receivedUpTo(message.timeline);
        send({ kind: "heartbeat", sentAt: message.sentAt, ageMs });
      }
    },
  });
  const watch = killWhenSilent(child, (isServing) => {
    if (isServing)
      log.error(
        { pid: child.pid, silentMs: WORKER_SILENT_MS },
        "a worker process does not respond; killing it",
      );
    else
      ready.reject(
        new StartError(`A worker process was not ready within ${WORKER_START_DEADLINE_MS / 1000} seconds.`),
      );
  });
  ready.promise.catch(() => {});
  child.exited.then((code) =>
    ready.reject(
      new StartError(
        `A worker process ended with exit code ${code} before it was ready. The log lines of this process say why.`,
      ),
    ),
  );

  function send(message: SupervisorMessage) {
    try {
      child.send(message);
    } catch {
      // The worker process has ended, so it no longer needs the message.
    }
  }
  return {
    process: child,
    ready: ready.promise,
    send,
    async metrics() {
      const { promise, resolve } = Promise.withResolvers<object | undefined>();
      waiting.push(resolve);
      // The request for metrics stays in `waiting` after its deadline. Otherwise, a late answer would count as the answer to the
      // next request.
      setTimeout(() => resolve(undefined), METRICS_DEADLINE_MS);
      send({ kind: "metrics" });
      return promise;
    },
  };
}

/**
 * Kills a process that does not serve in time after its start, or whose event loop later hangs.
 *
 * The time without heartbeats is measured by counting checks and not with a clock, because the supervisor itself may be suspended
 * for a while. When it continues, it reads the heartbeats that have arrived in the meantime before it makes the next check.
 */
function killWhenSilent(child: Subprocess, onKill: (isServing: boolean) => void) {
  let silentLooks = 0;
  // The time limit is long while a worker starts: if many workers start at the same time, each of them needs seconds to load its
  // modules.
  let silentMaxMs = WORKER_START_DEADLINE_MS;
  const isServing = () => silentMaxMs === WORKER_SILENT_MS;
  const looking = setInterval(() => {
    silentLooks++;
    if (silentLooks * WORKER_CHECK_MS <= silentMaxMs) return;
    clearInterval(looking);
    onKill(isServing());
    child.kill("SIGKILL");
  }, WORKER_CHECK_MS);
  child.exited.then(() => clearInterval(looking));
  return {
    begin() {
      silentLooks = 0;
      silentMaxMs = WORKER_SILENT_MS;
    },
    heard() {
      if (isServing()) silentLooks = 0;
    },
  };
}

export type WorkerMessage =
  | { readonly kind: "ready" }
  /**
   * A heartbeat from a worker. `sentAt` is the worker's `performance.now()`, which the supervisor copies into its reply.
   * `timeline` is the newest timeline of the database's log that the worker has seen.
   */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly timeline: number }
  | { readonly kind: "metrics"; readonly metrics: object };

export type SupervisorMessage =
  | { readonly kind: "metrics" }
  /**
   * The supervisor's reply to a heartbeat. All changes that were committed more than `ageMs` before the heartbeat have been
   * forwarded to the worker.
   */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly ageMs: number }
  | { readonly kind: "change"; readonly channel: Channel; readonly payload?: string | undefined };
