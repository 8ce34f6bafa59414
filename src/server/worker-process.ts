import type { Subprocess } from "bun";
import { supervisedEnvironment } from "../config.ts";
import { selfCommand } from "../platform/executable.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Listener, StartError } from "./listener.ts";
import type { SupervisorMessage, WorkerMessage } from "./worker-messages.ts";

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
  let isReady = false;
  const waiting: ((metrics: object | undefined) => void)[] = [];
  const portFlags = listeners.flatMap(({ name, port }) => [`--${name}-port`, String(port)]);
  const child = Bun.spawn([...selfCommand(), ...process.argv.slice(2), ...portFlags], {
    env: supervisedEnvironment(),
    stdio: ["ignore", "inherit", "inherit"],
    ipc(message: WorkerMessage) {
      if (message.kind === "ready") {
        ready.resolve();
        isReady = true;
      } else if (message.kind === "metrics") waiting.shift()?.(message.metrics);
      else {
        // Many that start at once load their modules for seconds; until it is ready the start's deadline counts.
        if (isReady) heard();
        const ageMs = performance.now() - receivedUpTo(message.timeline);
        send({ kind: "heartbeat", sentAt: message.sentAt, ageMs });
      }
    },
  });
  const heard = killWhenSilent(child, log);
  const timer = setTimeout(() => {
    ready.reject(
      new StartError(`A worker process did not serve within ${WORKER_START_DEADLINE_MS / 1000} seconds.`),
    );
    child.kill("SIGKILL");
  }, WORKER_START_DEADLINE_MS);
  ready.promise.finally(() => clearTimeout(timer)).catch(() => {});
  child.exited.then((code) =>
    ready.reject(
      new StartError(
        `A worker process ended with exit code ${code} before it served. Its log lines say why.`,
      ),
    ),
  );

  function send(message: SupervisorMessage): void {
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
 * Kills a process whose event loop stands still. It counts its own looks: a supervisor that stood still itself reads
 * what arrived meanwhile before its next one.
 *
 * @returns to be called at each heartbeat; the first one begins the watch
 */
function killWhenSilent(child: Subprocess, log: Logger): () => void {
  let silentLooks = 0;
  let looking: ReturnType<typeof setInterval> | undefined;
  function look(): void {
    silentLooks++;
    if (silentLooks * WORKER_CHECK_MS <= WORKER_SILENT_MS) return;
    clearInterval(looking);
    log.error({ pid: child.pid, silentMs: WORKER_SILENT_MS }, "a worker does not respond and is killed");
    child.kill("SIGKILL");
  }
  child.exited.then(() => clearInterval(looking));
  return () => {
    silentLooks = 0;
    if (child.exitCode === null && !child.killed) looking ??= setInterval(look, WORKER_CHECK_MS);
  };
}
