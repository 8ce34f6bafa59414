import { HOUR_MS } from "../../src/limits.ts";
import { type Answer, idsOf, type World } from "./world.ts";

const FIXTURES = { empty: 0, shop: 25 } as const;
const PETS_MAX = 90;

/** A client of staging that resets it and moves its test clock. */
export function rehearse({ random, now, call }: World, report: (fault: string) => void) {
  /** The content that staging must have now. `offset` is how many milliseconds the test clock is ahead. */
  let shop = { pets: 0, offset: 0 };
  /** The content that staging must have if a request was executed although its response got lost. */
  let otherwise: typeof shop | undefined;
  let newest = 0;

  async function change(request: string, body: object, after: typeof shop): Promise<Answer | undefined> {
    otherwise = after;
    const answer = await call("staging", request, body);
    if (answer === undefined) return undefined;
    otherwise = undefined;
    if (answer.status < 300) shop = after;
    else report(`staging: ${request} was answered ${answer.status}: ${answer.text}`);
    return answer;
  }

  async function add(): Promise<void> {
    const pet = { name: "Rex", categoryId: 1 };
    const answer = await change("POST /v1/pets", pet, { ...shop, pets: shop.pets + 1 });
    if (answer === undefined) return;
    const id = Number(answer.body["id"]);
    if (id <= newest) report(`staging: animal ${id} was created after ${newest} had been`);
    newest = id;
  }
  async function reset(): Promise<void> {
    const fixture = random.pick<keyof typeof FIXTURES>(["empty", "shop"]);
    const pets = FIXTURES[fixture];
    newest = pets;
    await change("POST /v1/test/reset", { fixture }, { ...shop, pets });
  }
  async function moveClock(): Promise<void> {
    const offset = random.between(-48, 48) * HOUR_MS;
    const time = offset === 0 ? null : new Date(now() + offset).toISOString();
    await change("PUT /v1/test/clock", { now: time }, { ...shop, offset });
  }

  return {
    async step(): Promise<void> {
      await (shop.pets > PETS_MAX ? reset : random.pick([add, add, add, moveClock, reset]))();
    },
    async check(): Promise<void> {
      const pets = await call("staging", "GET /v1/pets?limit=100");
      const clock = await call("staging", "GET /v1/test/clock");
      const ids = pets ? idsOf(pets) : [];
      const timeOf = (member: string) => Date.parse(String(clock?.body[member]));
      const found = { pets: ids.length, offset: timeOf("now") - timeOf("realNow") };
      const possible = [shop, ...(otherwise ? [otherwise] : [])];
      if (!possible.some((one) => Bun.deepEquals(one, found)))
        report(`staging has ${Object.values(found)}, acknowledged as ${possible.map(Object.values)}`);
      shop = found;
      newest = ids[0] ?? 0;
      otherwise = undefined;
    },
  };
}
