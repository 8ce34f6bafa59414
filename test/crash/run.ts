import { audit, createLedger, type Faults, type Ledger } from "./ledger.ts";
import { createRandom, type Random } from "./random.ts";
import { type Engine, type Kind, openSite, type Site } from "./sites.ts";
import { type Client, createClient } from "./workload.ts";

export interface CrashOptions {
  readonly engine: Engine;
  readonly kind: Kind;
  readonly rounds: number;
  readonly seed: number;
  /** Acknowledgements of the longest rounds; they are long enough to have the log written back unless it says otherwise. */
  readonly longest?: number;
  /** Told what happens, a line at a time. */
  readonly tell?: (line: string) => void;
}

export interface CrashResult extends Faults {
  readonly acknowledged: number;
  /** Where what went wrong can be looked at. */
  readonly evidence: string;
}

const CLIENTS = 12;
/** Acknowledgements between two crashes; the crash comes within so many milliseconds of the last of them. */
const ROUND_MIN = 30;
/** Most rounds are short. */
const SHORT_ROUNDS_MAX = [200, 400] as const;
const LONG_ROUNDS_MAX = 2_500;
const CRASH_WITHIN_MS = 15;

/** Has a store crash again and again under load, and compares what is there each time with what it acknowledged. */
export async function runCrashes({
  engine,
  kind,
  rounds,
  seed,
  longest = LONG_ROUNDS_MAX,
  tell = () => {},
}: CrashOptions): Promise<CrashResult> {
  const random = createRandom(seed);
  const ledger = createLedger((fault) => tell(`  ${fault}`));
  const site = await openSite(engine, kind);
  let tags = 0;
  let isWrong = true;
  try {
    for (let round = 1; round <= rounds; round++) {
      const clients = Array.from({ length: CLIENTS }, (_, number) =>
        createClient(`${round}-${number}`, site.key, ledger, random.split(), () => ++tags),
      );
      const enough =
        ledger.acknowledged + random.between(ROUND_MIN, random.pick([...SHORT_ROUNDS_MAX, longest]));
      await crashOnce(site, clients, random, () => ledger.acknowledged >= enough);
      audit(ledger, await site.stored());
      tell(`round ${round} of ${rounds}: ${countsOf(ledger)}`);
    }
    isWrong = isFaulty(ledger.faults) && kind !== "control";
  } finally {
    await site.close({ isEvidenceKept: isWrong });
  }
  return { acknowledged: ledger.acknowledged, ...ledger.faults, evidence: site.evidence };
}

async function crashOnce(
  site: Site,
  clients: readonly Client[],
  random: Random,
  isEnough: () => boolean,
): Promise<void> {
  let isOver = false;
  const reached = Promise.withResolvers<void>();
  const running = clients.map((client) =>
    client.run(site.server(), () => {
      if (isEnough()) reached.resolve();
      return isOver;
    }),
  );
  await Promise.race([reached.promise, Promise.all(running)]);
  await Bun.sleep(random.next() * CRASH_WITHIN_MS);
  const crash = site.crash(random);
  isOver = true;
  await Promise.all([crash, ...running]);
  await site.recover(random);
  await Promise.all(clients.map((client) => client.resolve(site.server())));
}

export function isFaulty(faults: Faults): boolean {
  return Object.values(faults).some((count) => count > 0);
}

/** `acknowledged 4711, lost 0, doubled 0, …` */
export function countsOf({ acknowledged, faults }: Pick<Ledger, "acknowledged" | "faults">): string {
  const { lost, doubled, idsReused, inconsistent, strange, damaged, misanswered } = faults;
  return (
    `acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, ids reused ${idsReused}, ` +
    `inconsistent ${inconsistent}, strange ${strange}, damaged ${damaged}, misanswered ${misanswered}`
  );
}
