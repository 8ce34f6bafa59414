import { INT64_MAX, type Int64 } from "exact-json/int64";
import { writeJson } from "../../src/contract/json/json.ts";
import type { Model, Operation } from "./model.ts";
import type { World } from "./world.ts";

interface Pet {
  readonly id: number;
  /** The number of the open order for the animal. */
  order: number | undefined;
  /** True while requests about the animal are in progress. */
  isBusy: boolean;
}

const STATUSES = ["available", "pending", "sold", null] as const;
/** The category numbers of all animals in this test. No category with one of these numbers exists. */
const CATEGORY_IDS: readonly [Int64, ...Int64[]] = [-1, 9007199254740993n, INT64_MAX];
const NAMES = ["Rex ", 'é "🐈" \\', ""] as const;
const KEYED = 0.6;
/** The number is not imported from the service, so that the test detects a wrong value there. */
const RETENTION_MS = 24 * 3_600_000;

/** Returns functions that send random requests about an animal and its orders, either one request or several at the same time. */
export function petWorkload(world: World, model: Model) {
  const { random } = world;
  const { resources, recorded, run, report } = model;
  const pets: Pet[] = [];
  let tags = 0;
  let highest = 0;

  const maybeKey = () => (random.chance(KEYED) ? { idempotencyKey: `key-${++tags}` } : {});
  const someName = () => `${random.pick(NAMES)}${++tags}`;
  const someIdle = () => {
    const [first, ...rest] = pets.filter(({ isBusy }) => !isBusy).slice(-30);
    return first && random.pick([first, ...rest]);
  };

  function creating(): Operation {
    const status = random.pick(["available", "available", "available", "sold"]);
    const pet = { name: someName(), categoryId: random.pick(CATEGORY_IDS), status };
    const above = highest;
    return {
      ...{ request: "POST /v1/pets", body: pet, ...maybeKey(), expected: [201], events: ["pet.created"] },
      apply(id) {
        if (id <= above)
          report(`animal ${id} was created after ${above} had been: an identifier was used twice`);
        highest = Math.max(highest, id);
        resources.set(`pet ${id}`, pet);
        pets.push({ id, order: undefined, isBusy: false });
      },
    };
  }

  function placing(pet: Pet): Operation {
    const before = resources.get(`pet ${pet.id}`);
    return {
      ...{ request: "POST /v1/store/orders", body: { petId: pet.id }, ...maybeKey() },
      expected: [before === undefined ? 404 : before["status"] === "available" ? 201 : 409],
      events: ["order.placed", "pet.updated"],
      apply(id) {
        pet.order = id;
        resources.set(`order ${id}`, { petId: pet.id, complete: false });
        resources.set(`pet ${pet.id}`, { ...before, status: "pending" });
      },
    };
  }

  function ending(pet: Pet, order: number): Operation {
    const isComplete = random.chance(0.5);
    const path = `/v1/store/orders/${order}`;
    const before = resources.get(`pet ${pet.id}`);
    return {
      ...(isComplete ? { request: `POST ${path}/complete`, ...maybeKey() } : { request: `DELETE ${path}` }),
      expected: [isComplete ? 200 : 204],
      events: [isComplete ? "order.completed" : "order.cancelled", "pet.updated"],
      apply() {
        pet.order = undefined;
        resources.set(`pet ${pet.id}`, { ...before, status: isComplete ? "sold" : "available" });
        if (isComplete) resources.set(`order ${order}`, { petId: pet.id, complete: true });
        else resources.delete(`order ${order}`);
      },
    };
  }

  function patching({ id, order }: Pet): Operation {
    const before = resources.get(`pet ${id}`);
    const name = random.pick([before?.["name"], someName()]) ?? "";
    const body = random.pick<object>([{ name }, { name, status: random.pick(STATUSES) }]);
    const after = { ...before, ...body };
    const isForbidden = order !== undefined && "status" in body;
    return {
      ...{ request: `PATCH /v1/pets/${id}`, body },
      expected: [before === undefined ? 404 : isForbidden ? 409 : 200],
      events: Bun.deepEquals(before, after) ? [] : ["pet.updated"],
      apply: () => void resources.set(`pet ${id}`, after),
    };
  }

  function removing({ id, order }: Pet): Operation {
    return {
      request: `DELETE /v1/pets/${id}`,
      expected: [!resources.has(`pet ${id}`) ? 404 : order !== undefined ? 409 : 204],
      events: ["pet.deleted"],
      apply: () => void resources.delete(`pet ${id}`),
    };
  }

  function reading({ id }: Pet): Operation {
    const pet = resources.get(`pet ${id}`);
    const { status, ...others } = pet ?? {};
    const expected = pet ? [{ id, ...others, ...(status !== null && { status }) }] : [];
    return {
      ...{ request: `GET /v1/pets?id=${id}`, expected: [200], events: [] },
      check({ text, body }) {
        if (!Bun.deepEquals(body, expected))
          report(`animal ${id} is read as ${text}, acknowledged as ${writeJson(expected)}`);
      },
    };
  }

  /** Sends several requests about the same animal at the same time. During that time, no other requests use the animal. */
  async function about(pet: Pet, ...operations: readonly Operation[]) {
    pet.isBusy = true;
    const answers = await Promise.all(operations.map(run));
    pet.isBusy = false;
    return answers;
  }

  /** Several buyers order the same animal at the same time. Exactly one of them must get it. */
  async function race(pet: Pet): Promise<void> {
    const buyers = Array.from({ length: random.between(2, 3) }, () => placing(pet));
    const isFree = buyers[0]?.expected[0] === 201;
    const answers = await about(
      pet,
      ...buyers.map((buyer) => ({ ...buyer, ...(isFree && { expected: [201, 409] }) })),
    );
    const won = answers.filter((answer) => answer?.status === 201).length;
    if (!answers.includes(undefined) && won !== (isFree ? 1 : 0))
      report(`${won} of ${buyers.length} buyers at once got animal ${pet.id}`);
  }

  /** Repeats a request from the last 24 hours, with the same idempotency key. */
  async function retry(): Promise<void> {
    const [past] = recorded.splice(random.between(0, recorded.length - 1), 1);
    if (past === undefined || world.elapsed - past.at > RETENTION_MS) return;
    await run(model.replayOf(past.operation, past.text));
    recorded.push(past);
  }

  return async (): Promise<void> => {
    const choice = random.next();
    const pet = someIdle();
    if (pet === undefined || choice < 0.35) await run(creating());
    else if (choice < 0.55) await about(pet, pet.order === undefined ? placing(pet) : ending(pet, pet.order));
    else if (choice < 0.7) await about(pet, patching(pet));
    else if (choice < 0.78) await about(pet, removing(pet));
    else if (choice < 0.86) await about(pet, reading(pet));
    else if (choice < 0.9) await race(pet);
    else await retry();
  };
}
