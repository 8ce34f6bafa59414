import { INT64_MAX, type Int64 } from "exact-json/int64";
import { writeJson } from "../../src/contract/json/json.ts";
import { type Model, type Operation, type Pet, RETENTION_MS } from "./model.ts";
import type { World } from "./world.ts";

const STATUSES = ["available", "pending", "sold", null] as const;
/** None of them is a number that a category is given. */
const CATEGORY_IDS: readonly [Int64, ...Int64[]] = [-1, 9007199254740993n, INT64_MAX];
const NAMES = ["Rex ", 'é "🐈" \\', ""] as const;
const KEYED = 0.6;

/** Requests about animals and their orders. Two are never under way for one animal, unless they compete on purpose. */
export function petWorkload(world: World, model: Model) {
  const { random } = world;
  const { pets, orders, recorded, run } = model;
  let tags = 0;
  let highest = 0;

  const maybeKey = () => (random.chance(KEYED) ? { idempotencyKey: `key-${++tags}` } : {});
  const someIdle = () => {
    const [first, ...rest] = [...pets.values()].filter(({ busy }) => busy === 0).slice(-30);
    return first && random.pick([first, ...rest]);
  };

  function creation(key: { idempotencyKey?: string }): Operation {
    const name = `${random.pick(NAMES)}${++tags}`;
    const categoryId = random.pick(CATEGORY_IDS);
    const status = random.pick(["available", "available", "available", "sold", undefined]);
    const above = highest;
    return {
      ...{ request: "POST /v1/pets", body: { name, categoryId, ...(status && { status }) }, ...key },
      ...{ expected: [201], events: ["pet.created"] },
      apply(answer) {
        const { id } = answer;
        if (id <= above)
          model.report(`animal ${id} was created after ${above} had been: an identifier was used twice`);
        highest = Math.max(highest, id);
        pets.set(id, {
          id,
          name,
          categoryId,
          status: status ?? null,
          isRemoved: false,
          order: undefined,
          busy: 0,
        });
      },
    };
  }

  /** An operation on an animal that no other one is about meanwhile. */
  function about(pet: Pet, operation: Operation): Operation {
    pet.busy++;
    return { ...operation, done: () => void pet.busy-- };
  }
  const openOrder = ({ id, order }: Pet) => ({ message: `Animal ${id} has an open order: ${order}.` });

  function placing(pet: Pet): Operation {
    const isFree = pet.status === "available";
    return {
      ...{ request: "POST /v1/store/orders", body: { petId: pet.id }, ...maybeKey() },
      ...{ expected: [pet.isRemoved ? 404 : isFree ? 201 : 409], events: ["order.placed", "pet.updated"] },
      ...(pet.order !== undefined && openOrder(pet)),
      apply({ id }) {
        pet.order = id;
        pet.status = "pending";
        orders.set(pet.order, { petId: pet.id, isComplete: false });
      },
    };
  }

  function ending(pet: Pet): Operation {
    const order = pet.order ?? 0;
    const isComplete = random.chance(0.5);
    const path = `/v1/store/orders/${order}`;
    return {
      ...(isComplete ? { request: `POST ${path}/complete`, ...maybeKey() } : { request: `DELETE ${path}` }),
      expected: [pet.order === undefined ? 404 : isComplete ? 200 : 204],
      events: [isComplete ? "order.completed" : "order.cancelled", "pet.updated"],
      apply() {
        pet.order = undefined;
        pet.status = isComplete ? "sold" : "available";
        if (isComplete) orders.set(order, { petId: pet.id, isComplete });
        else orders.delete(order);
      },
    };
  }

  function patching(pet: Pet): Operation {
    const name = random.pick([pet.name, `${random.pick(NAMES)}${++tags}`]);
    const status = random.pick([...STATUSES, undefined]);
    const isForbidden = pet.order !== undefined && status !== undefined;
    const isSame = name === pet.name && (status === undefined || status === pet.status);
    return {
      ...{ request: `PATCH /v1/pets/${pet.id}`, body: { name, ...(status !== undefined && { status }) } },
      expected: [pet.isRemoved ? 404 : isForbidden ? 409 : 200],
      events: isSame ? [] : ["pet.updated"],
      apply() {
        pet.name = name;
        if (status !== undefined) pet.status = status;
      },
    };
  }

  function removing(pet: Pet): Operation {
    return {
      request: `DELETE /v1/pets/${pet.id}`,
      expected: [pet.isRemoved ? 404 : pet.order !== undefined ? 409 : 204],
      events: ["pet.deleted"],
      apply() {
        pet.isRemoved = true;
      },
    };
  }

  function reading(pet: Pet): Operation {
    const { id, name, categoryId, status, isRemoved } = pet;
    return {
      ...{ request: `GET /v1/pets?id=${id}`, expected: [200], events: [] },
      check({ text, body }) {
        const expected = { id, name, categoryId, ...(status !== null && { status }) };
        if (!Bun.deepEquals(body, isRemoved ? [] : [expected]))
          model.report(
            `animal ${id} is read as ${text}, acknowledged as ${isRemoved ? "removed" : writeJson(expected)}`,
          );
      },
    };
  }

  /** Buyers of one animal at the same time: one of them gets it. */
  async function race(pet: Pet): Promise<void> {
    const isWon = pet.status === "available" && !pet.isRemoved;
    const buyers = Array.from({ length: random.between(2, 3) }, () => placing(pet));
    const answers = await Promise.all(
      buyers.map(({ message: _, ...buyer }) =>
        run({ ...about(pet, buyer), ...(isWon && { expected: [201, 409] }) }),
      ),
    );
    const won = answers.filter((answer) => answer?.status === 201).length;
    if (answers.every((answer) => answer !== undefined) && won !== (isWon ? 1 : 0))
      model.report(`${won} of ${buyers.length} buyers at once got animal ${pet.id}`);
  }

  /** A request of the last 24 hours again, under its key. */
  async function retry(): Promise<void> {
    const [past] = recorded.splice(random.between(0, recorded.length - 1), 1);
    if (past === undefined || world.elapsed - past.at > RETENTION_MS) return;
    await run(model.replayOf(past.operation, past.text));
    recorded.push(past);
  }

  return {
    create: () => run(creation(maybeKey())),
    /** Sends one request, or several that belong together. */
    async step(): Promise<void> {
      const choice = random.next();
      const pet = someIdle();
      if (pet === undefined || choice < 0.35) await run(creation(maybeKey()));
      else if (choice < 0.55) await run(about(pet, pet.order === undefined ? placing(pet) : ending(pet)));
      else if (choice < 0.7) await run(about(pet, patching(pet)));
      else if (choice < 0.78) await run(about(pet, removing(pet)));
      else if (choice < 0.86) await run(about(pet, reading(pet)));
      else if (choice < 0.9) await race(pet);
      else await retry();
    },
  };
}
