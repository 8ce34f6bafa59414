import type { Subprocess } from "bun";
import { supervisedEnvironment } from "../config.ts";
import { selfCommand } from "../platform/executable.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Listener, StartError } from "./listener.ts";

const WORKER_START_DEADLINE_MS = 20_000; // of a worker process; then it is killed
const WORKER_CHECK_MS = 500; // between looks whether the worker processes sent heartbeats
const WORKER_SILENT_MS = 3_000; // without a heartbeat; then a worker process is killed and replaced
const METRICS_DEADLINE_MS = 2_000; // for a worker process's metrics; then they are left out

/** A serving process, as its supervisor sees it. */
export interface WorkerProcess {
  readonly process: Subprocess;
  readonly ready: Promise<void>;
  /** Does nothing once the process has ended. */
  send(message: SupervisorMessage): void;
  /** Its metrics as JSON; undefined when it does not answer in time. */
  metrics(): Promise<object | undefined>;
}

interface WorkerOptions {
  /** Whose ports the worker shares. */
  readonly listeners: readonly Listener[];
  readonly log: Logger;
  /** By `performance.now()`; what heartbeats are answered with. */
  readonly receivedUpTo: (timeline: number) => number;
}

/** Starts this program again as a worker. */
export function startWorker({ listeners, log, receivedUpTo }: WorkerOptions): WorkerProcess {
  const ready = Promise.withResolvers<void>();
  const waiting: ((metrics: object | undefined) => void)[] = [];
  const portFlags = listeners.flatMap(({ name, port }) => [`--${name}-port`, String(port)]);
  const child = Bun.spawn([...selfCommand(), ...process.argv.slice(2), ...portFlags], {
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
      log.error({ pid: child.pid, silentMs: WORKER_SILENT_MS }, "a worker does not respond and is killed");
    else
      ready.reject(
        new StartError(`A worker process did not serve within ${WORKER_START_DEADLINE_MS / 1000} seconds.`),
      );
  });
  ready.promise.catch(() => {});
  child.exited.then((code) =>
    ready.reject(
      new StartError(
        `A worker process ended with exit code ${code} before it served. Its log lines say why.`,
      ),
    ),
  );

  function send(message: SupervisorMessage) {
    try {
      child.send(message);
    } catch {
      // It has ended.
    }
  }
  return {
    process: child,
    ready: ready.promise,
    send,
    async metrics() {
      const { promise, resolve } = Promise.withResolvers<object | undefined>();
      waiting.push(resolve);
      setTimeout(() => resolve(undefined), METRICS_DEADLINE_MS);
      send({ kind: "metrics" });
      return promise;
    },
  };
}

/**
 * Kills a process that does not serve in time, and from `begin` on one whose event loop stands still. It counts its own looks: a
 * supervisor that stood still itself reads what arrived meanwhile before its next one.
 */
function killWhenSilent(child: Subprocess, onKill: (isServing: boolean) => void) {
  let silentLooks = 0;
  // Many that start at once load their modules for seconds.
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

/** The messages from a worker process to its supervisor. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  /** `sentAt` is by the worker's `performance.now()`; the answer has it again. `timeline` is the newest that the worker has seen. */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly timeline: number }
  | { readonly kind: "metrics"; readonly metrics: object };

/** The messages from a supervisor to its worker processes. */
export type SupervisorMessage =
  | { readonly kind: "metrics" }
  /** Every change that was committed more than `ageMs` ago, when this was sent, has been forwarded. */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly ageMs: number }
  | { readonly kind: "change"; readonly channel: Channel; readonly payload?: string | undefined };
