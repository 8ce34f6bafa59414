import { createRandom } from "../../random.ts";
import { createClient } from "../crash/client.ts";
import { type Check, type Contradictions, type Revocations, watchReads } from "./checks.ts";

/** Far above the duration of a failover, so that only a lasting outage fails. */
const DEADLINE_MS = 60_000;
const CLIENTS = 12;
const INDEXES = [0, 1] as const;

export interface Load {
  /** Resolves once `count` more requests are acknowledged. */
  acknowledges(count: number): Promise<void>;
  /** Resolves once each process has acknowledged another request, with the time of the later one. */
  acknowledgesAtBoth(): Promise<number>;
  /** Resolves once the outcome of every request is known. */
  stop(): Promise<void>;
}

interface LoadOptions extends Omit<Check, "isOver"> {
  /** Unique for each load; names derive from it. */
  readonly round: number;
  readonly seed: number;
  readonly found: Contradictions;
  readonly revocations: Revocations;
}

/** Starts clients of both servers; a request unanswered by one is retried at the other. */
export function startLoad({ round, seed, found, revocations, ...setup }: LoadOptions): Load {
  const { servers, key, ledger } = setup;
  const random = createRandom(seed);
  let isStopped = false;
  const isOver = (): boolean => isStopped;
  const next = INDEXES.map(() => Promise.withResolvers<number>());
  function acknowledged(index: 0 | 1): void {
    next[index]?.resolve(performance.now());
    next[index] = Promise.withResolvers();
  }
  let tags = round * 1_000_000;

  async function runClient(number: number): Promise<void> {
    const [home, other] = number % 2 === 0 ? servers : [servers[1], servers[0]];
    const client = createClient({
      ...{ name: `${round}-${number}`, key, ledger },
      random: random.split(),
      nextTag: () => ++tags,
    });
    while (!isStopped) {
      await client.run(home, isOver);
      await client.resolve(other);
    }
  }
  const running = [
    ...Array.from({ length: CLIENTS }, (_, number) => runClient(number)),
    ...INDEXES.map((index) =>
      watchReads({ ...setup, isOver }, index, round, found, () => acknowledged(index)),
    ),
    revocations.run({ ...setup, isOver }),
  ];
  // Errors are thrown by `stop`.
  for (const each of running) each.catch(() => {});

  const bothNext = () => withinDeadline(Promise.all(next.map(({ promise }) => promise)));
  return {
    async acknowledges(count) {
      const enough = ledger.acknowledged + count;
      while (ledger.acknowledged < enough) await bothNext();
    },
    acknowledgesAtBoth: async () => Math.max(...(await bothNext())),
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
