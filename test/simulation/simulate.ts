import { HOUR_MS } from "../../src/limits.ts";
import { flawsOf } from "../events/log.ts";
import { categoryWorkload } from "./categories.ts";
import { receiveDeliveries } from "./deliveries.ts";
import { followEvents } from "./followers.ts";
import { createModel } from "./model.ts";
import { petWorkload } from "./pets.ts";
import { rehearse } from "./staging.ts";
import { type Engine, openWorld, type World } from "./world.ts";

/** Sends one random request, or several that belong together. */
type Step = () => Promise<unknown>;
type Fault = (typeof FAULTS)[Engine][number];

const YEARS_MS = 10 * 365 * 24 * HOUR_MS;
const JUMPS = [HOUR_MS, -HOUR_MS, YEARS_MS, -YEARS_MS] as const;
const CONCURRENT_MAX = 16;
const FAULTS = { sqlite: ["crash", "reopen"], postgres: ["crash", "reopen", "endBackends"] } as const;

/**
 * Runs a simulation that depends only on its seed. Each of its rounds sends requests, causes a fault, and compares all data with
 * the model.
 */
export async function simulate(engine: Engine, seed: number) {
  const faults: string[] = [];
  const report = (fault: string) => void faults.push(fault);
  const world = await openWorld(engine, seed);
  const model = createModel(world, report);
  const receiver = receiveDeliveries(world, report);
  const followers = followEvents(world, report);
  const staging = rehearse(world, report);
  const others = [categoryWorkload(world, model), followers.step, staging.step].map(oneAtATime);
  const steps = { pets: petWorkload(world, model), others: others as [Step, ...Step[]] };
  try {
    const hook = await world.call("production", "POST /v1/webhooks", { url: receiver.url });
    if (hook?.status !== 201) report(`the webhook was refused: ${hook?.text}`);
    for (let round = world.random.between(3, 5); round > 0 && faults.length === 0; round--) {
      const running = new Set<Promise<unknown>>();
      await work(world, steps, receiver.rest, running);
      const fault = world.random.pick<Fault>(FAULTS[engine]);
      await world[fault](running, someJump(world));
      await Promise.all(running);
      world.isFaulty = false;
      await check();
    }
  } finally {
    await receiver.rest();
    await world.close();
    receiver.close();
  }
  return { faults, trace: model.trace.digest("hex") };

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

function oneAtATime(step: Step): Step {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    await step();
    isBusy = false;
  };
}

/**
 * Sends requests, up to sixteen at a time. During that time, the clock advances, and sometimes the time of day is set to a wrong
 * value.
 */
async function work(
  { random, advance, setClock }: World,
  { pets, others }: { readonly pets: Step; readonly others: readonly [Step, ...Step[]] },
  settleDeliveries: () => Promise<void>,
  running: Set<Promise<unknown>>,
): Promise<void> {
  const atOnce = random.between(1, CONCURRENT_MAX);
  for (let steps = random.between(20, 80); steps > 0; steps--) {
    const step = random.chance(0.7) ? pets : random.pick(others);
    const request = step().finally(() => running.delete(request));
    running.add(request);
    while (running.size > atOnce) await Promise.race(running);
    if (random.chance(0.3)) await advance(random.between(0, 500));
    if (!random.chance(0.05)) continue;
    await Promise.all(running);
    await settleDeliveries();
    await advance(random.pick([HOUR_MS, 5 * HOUR_MS, 13 * HOUR_MS, 26 * HOUR_MS]));
    // While the test waits here, the service can store the elapsed time, which it does every five minutes.
    await settleDeliveries();
    if (random.chance(0.5)) setClock(random.pick(JUMPS));
  }
}

const someJump = ({ random }: World) => (random.chance(0.3) ? random.pick(JUMPS) : random.between(0, 60_000));
