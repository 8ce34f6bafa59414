import { IDEMPOTENCY_INTERVAL_MS } from "../../src/limits.ts";
import { RETENTION_MS } from "./model.ts";
import { type Answer, idsOf, type World } from "./world.ts";

/** Staging's content as its only client knows it. */
interface Shop {
  readonly pets: number;
  readonly newest: number;
  /** Milliseconds by which the test clock is ahead. */
  readonly offset: number;
}

interface Key {
  readonly name: string;
  readonly id: number;
  /** By the test clock, in milliseconds that the service has run. */
  at: number;
}

const FIXTURES = { empty: 0, shop: 25 } as const;
/** By so much earlier a record may end once the clock was set back: the saved elapsed time is that old. */
const CLAMPED_MS = 2 * IDEMPOTENCY_INTERVAL_MS;
const PET = { name: "Rex", categoryId: 1 };

/** One client of staging, which resets it and moves its clock, one request after the other. */
export function rehearse(world: World, report: (fault: string) => void) {
  const { random } = world;
  let shop: Shop = { pets: 0, newest: 0, offset: 0 };
  let keys: Key[] = [];
  let names = 0;
  let isBusy = false;
  /** What the content is if the request without an answer was done. */
  let otherwise: Shop | undefined;

  const time = () => world.elapsed + shop.offset;
  const isValid = ({ at }: Key) => time() - at <= RETENTION_MS - CLAMPED_MS;

  async function change(
    request: string,
    body: object,
    after: Shop,
    key?: string,
  ): Promise<Answer | undefined> {
    otherwise = after;
    const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
    const answer = await world.call("staging", request, body, headers);
    if (answer === undefined) return undefined;
    otherwise = undefined;
    if (answer.status < 300) shop = after;
    else report(`staging: ${request} was answered ${answer.status}: ${answer.text}`);
    return answer;
  }

  async function add(): Promise<void> {
    const name = random.chance(0.6) ? `staging-${++names}` : undefined;
    const at = time();
    const id = shop.newest + 1;
    const answer = await change("POST /v1/pets", PET, { ...shop, pets: shop.pets + 1, newest: id }, name);
    if (answer !== undefined && Number(answer.body["id"]) !== id)
      report(`staging: animal ${answer.body["id"]} was created where ${id} came next`);
    if (answer !== undefined && name !== undefined) keys.push({ name, id, at });
  }
  async function reset(): Promise<void> {
    const fixture = random.pick<keyof typeof FIXTURES>(["empty", "shop"]);
    keys = [];
    const [pets, newest] = [FIXTURES[fixture], FIXTURES[fixture]];
    await change("POST /v1/test/reset", { fixture }, { ...shop, pets, newest });
  }
  async function moveClock(): Promise<void> {
    // Expired records may be deleted before the clock is set back.
    keys = keys.filter(isValid);
    const offset = random.chance(0.2) ? 0 : random.between(-48, 48) * 3_600_000;
    const now = offset === 0 ? null : new Date(world.now() + offset).toISOString();
    await change("PUT /v1/test/clock", { now }, { ...shop, offset });
    // A record of the future counts as made now.
    for (const key of keys) key.at = Math.min(key.at, time());
  }
  async function retry(): Promise<void> {
    const [key] = keys.splice(random.between(0, keys.length - 1), 1);
    if (key === undefined || !isValid(key)) return;
    const answer = await change("POST /v1/pets", PET, shop, key.name);
    if (answer !== undefined && Number(answer.body["id"]) !== key.id)
      report(
        `staging: animal ${key.id} was created again under its Idempotency-Key, as ${answer.body["id"]}`,
      );
  }

  async function read(): Promise<Shop | undefined> {
    const pets = await world.call("staging", "GET /v1/pets?limit=100");
    const clock = await world.call("staging", "GET /v1/test/clock");
    if (pets?.status !== 200 || clock?.status !== 200) return undefined;
    const offset = Date.parse(String(clock.body["now"])) - Date.parse(String(clock.body["realNow"]));
    const ids = idsOf(pets);
    return { pets: ids.length, newest: ids[0] ?? 0, offset };
  }

  return {
    async step(): Promise<void> {
      if (isBusy || otherwise !== undefined) return;
      isBusy = true;
      const full = shop.pets > 90;
      await (full ? reset : random.pick([add, add, add, retry, retry, moveClock, reset]))();
      isBusy = false;
    },
    async check(): Promise<void> {
      const found = await read();
      const possible = [shop, ...(otherwise ? [otherwise] : [])];
      const [match] = possible.filter((one) => Bun.deepEquals(one, found));
      if (match === undefined)
        report(
          `staging has ${JSON.stringify(found)}, acknowledged as ${possible.map((one) => JSON.stringify(one)).join(" or ")}`,
        );
      shop = match ?? shop;
      otherwise = undefined;
    },
  };
}
