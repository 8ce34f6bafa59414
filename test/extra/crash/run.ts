import { createRandom, type Random } from "../../random.ts";
import { type Client, createClient } from "./client.ts";
import { audit, createLedger, type Faults, type Ledger } from "./ledger.ts";
import { type CrashTarget, type Engine, type Kind, openTarget } from "./targets.ts";

export interface CrashOptions {
  readonly engine: Engine;
  readonly kind: Kind;
  readonly rounds: number;
  readonly seed: number;
  /** The number of acknowledged requests in the longest rounds. The default is enough to make SQLite checkpoint its log. */
  readonly longest?: number;
  readonly log?: (line: string) => void;
}

interface CrashResult extends Faults {
  readonly acknowledged: number;
  /** The folder with the files to examine if a fault is found. */
  readonly evidence: string;
}

const CLIENTS = 12;
/** The minimum number of acknowledged requests before a crash. */
const ROUND_MIN = 30;
/** The maximum number of acknowledged requests in a short round. Two of every three rounds are short. */
const SHORT_ROUNDS_MAX = [200, 400] as const;
const LONG_ROUNDS_MAX = 2_500;
/** Once enough requests of a round have been acknowledged, the crash follows within this time. */
const CRASH_WITHIN_MS = 15;

/** Crashes a store under load, again and again. After each crash, compares the stored data with the acknowledged requests. */
export async function runCrashes({
  engine,
  kind,
  rounds,
  seed,
  longest = LONG_ROUNDS_MAX,
  log = () => {},
}: CrashOptions): Promise<CrashResult> {
  const random = createRandom(seed);
  const ledger = createLedger((fault) => log(`  ${fault}`));
  const target = await openTarget(engine, kind);
  let tags = 0;
  let isWrong = true;
  try {
    for (let round = 1; round <= rounds; round++) {
      const clients = Array.from({ length: CLIENTS }, (_, number) =>
        createClient({
          name: `${round}-${number}`,
          key: target.key,
          ledger,
          random: random.split(),
          nextTag: () => ++tags,
        }),
      );
      const enough =
        ledger.acknowledged + random.between(ROUND_MIN, random.pick([...SHORT_ROUNDS_MAX, longest]));
      await crashOnce(target, clients, random, () => ledger.acknowledged >= enough);
      audit(ledger, await target.stored());
      log(`round ${round} of ${rounds}: ${countsOf(ledger)}`);
    }
    isWrong = isFaulty(ledger.faults) && kind !== "control";
  } finally {
    await target.close({ isEvidenceKept: isWrong });
  }
  return { acknowledged: ledger.acknowledged, ...ledger.faults, evidence: target.evidence };
}

async function crashOnce(
  target: CrashTarget,
  clients: readonly Client[],
  random: Random,
  isEnough: () => boolean,
): Promise<void> {
  let isOver = false;
  const reached = Promise.withResolvers<void>();
  const running = clients.map((client) =>
    client.run(target.server(), () => {
      if (isEnough()) reached.resolve();
      return isOver;
    }),
  );
  await Promise.race([reached.promise, Promise.all(running)]);
  await Bun.sleep(random.next() * CRASH_WITHIN_MS);
  const crash = target.crash(random);
  isOver = true;
  await Promise.all([crash, ...running]);
  await target.recover(random);
  await Promise.all(clients.map((client) => client.resolve(target.server())));
}

export function isFaulty(faults: Faults): boolean {
  return Object.values(faults).some((count) => count > 0);
}

/** Returns the counts as a line of text: `acknowledged 4711, lost 0, doubled 0, …` */
export function countsOf({ acknowledged, faults }: Pick<Ledger, "acknowledged" | "faults">): string {
  const { lost, doubled, idsReused, inconsistent, strange, damaged, misanswered, mistold } = faults;
  return (
    `acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, ids reused ${idsReused}, ` +
    `inconsistent ${inconsistent}, strange ${strange}, damaged ${damaged}, misanswered ${misanswered}, mistold ${mistold}`
  );
}
