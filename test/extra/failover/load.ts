import { createRandom } from "../../random.ts";
import type { Server } from "../../wire/server.ts";
import { createClient } from "../crash/client.ts";
import { type Check, type Contradictions, type Revocations, watchReads } from "./checks.ts";

/**
 * The deadline of a request. It is much longer than a failover takes, so that a request fails only if the database does not come
 * back.
 */
const DEADLINE_MS = 60_000;
const CLIENTS = 12;
const FIRST_CATEGORY = 1_000_000_000;

export interface Load {
  /** Resolves once the service has acknowledged `count` more requests. */
  acknowledges(count: number): Promise<void>;
  /** Resolves once each process of the service has acknowledged one more request. */
  acknowledgesAtEach(): Promise<unknown>;
  /**
   * Starts to measure how long each process goes without acknowledging a request. The returned function returns the longest of
   * these times for each process, in milliseconds.
   */
  measurePauses(): () => readonly number[];
  /** Resolves once the outcome of every request is known. */
  stop(): Promise<void>;
}

interface LoadOptions extends Omit<Check, "isOver"> {
  /** A number that is different for each load. The names of the load's animals begin with it. */
  readonly round: number;
  readonly seed: number;
  readonly found: Contradictions;
  readonly revocations: Revocations;
}

/**
 * Starts clients that send requests to all servers. If one server does not answer a request, the client retries it at the next
 * server.
 */
export function startLoad({ round, seed, found, revocations, ...setup }: LoadOptions): Load {
  const { servers, key, ledger } = setup;
  const random = createRandom(seed);
  let isStopped = false;
  const isOver = (): boolean => isStopped;
  const next = servers.map(() => Promise.withResolvers<void>());
  let pauses = startPauses();
  function startPauses() {
    const since = performance.now();
    return servers.map(() => ({ since, longest: 0 }));
  }
  function acknowledged(index: number): void {
    next[index]?.resolve();
    next[index] = Promise.withResolvers();
    const pause = pauses[index];
    if (pause === undefined) return;
    const now = performance.now();
    pause.longest = Math.max(pause.longest, now - pause.since);
    pause.since = now;
  }
  let tags = round * 1_000_000;

  async function runClient(name: string, home: Server, other: Server): Promise<void> {
    const client = createClient({
      ...{ name, key, ledger },
      random: random.split(),
      nextTag: () => ++tags,
    });
    while (!isStopped) {
      await client.run(home, isOver);
      await client.resolve(other);
    }
  }
  const running = servers.flatMap((home, index) => [
    ...Array.from({ length: CLIENTS / servers.length }, (_, number) =>
      runClient(`${round}-${index}-${number}`, home, servers[(index + 1) % servers.length] ?? home),
    ),
    watchReads({ ...setup, isOver }, home, FIRST_CATEGORY + round * servers.length + index, found, () =>
      acknowledged(index),
    ),
  ]);
  running.push(revocations.run({ ...setup, isOver }));
  // Prevents unhandled rejections. `stop` throws the errors of the clients later.
  for (const each of running) each.catch(() => {});

  const eachNext = () => withinDeadline(Promise.all(next.map(({ promise }) => promise)));
  return {
    async acknowledges(count) {
      const enough = ledger.acknowledged + count;
      while (ledger.acknowledged < enough) await eachNext();
    },
    acknowledgesAtEach: eachNext,
    measurePauses() {
      pauses = startPauses();
      return () => pauses.map(({ longest }) => longest);
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

async function withinDeadline<Value>(promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const message = `A process has acknowledged nothing for ${DEADLINE_MS / 1000} s.`;
  const timer = setTimeout(() => late.reject(new Error(message)), DEADLINE_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
