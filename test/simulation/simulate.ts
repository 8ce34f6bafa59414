import { flawsOf } from "../events/log.ts";
import { categoryWorkload } from "./categories.ts";
import { receiveDeliveries } from "./deliveries.ts";
import { followEvents } from "./followers.ts";
import { createModel } from "./model.ts";
import { petWorkload } from "./pets.ts";
import { rehearse } from "./staging.ts";
import { type Engine, nextTurn, openWorld, type World } from "./world.ts";

export interface Result {
  /** One sentence for each thing that was lost, doubled or contradicted. */
  readonly faults: readonly string[];
  readonly crashes: number;
  /** Digest of all answers: equal for the same seed on SQLite. */
  readonly trace: string;
}

const HOUR_MS = 3_600_000;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;
const JUMPS = [HOUR_MS, -HOUR_MS, YEARS_MS, -YEARS_MS] as const;
const CONCURRENT_MAX = 16;

/** Runs one seed: rounds of requests, each of which ends with a fault and a comparison of everything with the model. */
export async function simulate(engine: Engine, seed: number): Promise<Result> {
  const faults: string[] = [];
  const report = (fault: string) => void faults.push(fault);
  const world = await openWorld(engine, seed);
  const model = createModel(world, report);
  const receiver = receiveDeliveries(world, report);
  const followers = followEvents(world, report);
  const staging = rehearse(world, report);
  const pets = petWorkload(world, model);
  const actors = [pets, categoryWorkload(world, model), followers, staging];
  try {
    const hook = await world.call("production", "POST /v1/webhooks", { url: receiver.url });
    if (hook?.status !== 201) report(`the webhook was refused: ${hook?.text}`);
    const rounds = world.random.between(3, 5);
    for (let round = 0; round < rounds && faults.length === 0; round++) {
      const running = new Set<Promise<void>>();
      await work(world, actors, receiver, running);
      await (round === 0 ? crash : world.random.pick([crash, crash, failCommit, reopen]))(
        world,
        running,
        pets.create,
      );
      await Promise.all(running);
      world.isFaulty = false;
      await check();
    }
  } finally {
    await receiver.rest();
    await world.close();
    receiver.close();
  }
  return { faults, crashes: world.crashes, trace: model.trace.digest("hex") };

  async function check(): Promise<void> {
    await model.resolve(await world.log());
    await staging.check();
    const log = await world.log();
    for (const flaw of flawsOf(log)) report(flaw);
    model.compare(log);
    await followers.check(log);
    await receiver.check(log);
  }
}

type Actor = { step(): Promise<void> };

/** Sends requests, up to sixteen at a time, while the clock moves on, and is set wrong at times. */
async function work(
  world: World,
  [first, ...others]: readonly Actor[],
  { rest }: { rest(): Promise<void> },
  running: Set<Promise<void>>,
): Promise<void> {
  const { random } = world;
  const atOnce = random.between(1, CONCURRENT_MAX);
  for (let steps = random.between(20, 80); steps > 0; steps--) {
    const actor = random.chance(0.7) ? first : random.pick(others as [Actor, ...Actor[]]);
    const step = actor?.step().finally(() => running.delete(step as Promise<void>));
    if (step !== undefined) running.add(step);
    while (running.size > atOnce) await Promise.race(running);
    if (random.chance(0.3)) await world.advance(random.between(0, 500));
    if (!random.chance(0.05)) continue;
    await Promise.all(running);
    await rest();
    await world.advance(random.pick([HOUR_MS, 5 * HOUR_MS, 13 * HOUR_MS, 26 * HOUR_MS]));
    // The elapsed time is saved every five minutes.
    await rest();
    if (random.chance(0.5)) world.setClock(random.pick(JUMPS));
  }
}

/** @param create adds an animal */
type Fault = (world: World, running: Set<Promise<void>>, create: () => Promise<unknown>) => Promise<void>;

const someJump = ({ random }: World) => (random.chance(0.3) ? random.pick(JUMPS) : random.between(0, 60_000));

const crash: Fault = async (world, running) => {
  for (let turns = world.random.between(0, 4); turns > 0; turns--) await nextTurn();
  await world.crash(running, someJump(world));
};

const failCommit: Fault = async (world, running, create) => {
  if (world.engine === "postgres") return world.endBackends();
  await world.failCommit(create);
  await crash(world, running, create);
};

const reopen: Fault = async (world, running) => {
  await Promise.all(running);
  await world.reopen(someJump(world));
};
