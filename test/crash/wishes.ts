import type { Reply } from "../wire/server.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/** Something a client asks for, which can be asked for again. */
export interface Wish {
  readonly method: "POST" | "DELETE";
  readonly service: "production" | "messages";
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  /** The statuses that mean it is done, and those that say so to who asks again without an `Idempotency-Key`. */
  readonly done: readonly number[];
  readonly doneBefore?: readonly number[];
  onDone(reply: Reply): void;
  /** It was asked for once, nobody knows what came of it, and asking again could do it twice. */
  onLost?(): void;
}

interface Animal {
  readonly id: number;
  readonly name: string;
}

interface OpenOrder {
  readonly id: number;
  readonly tag: string;
  readonly pet: Animal;
}

/** One client's share of the store: nobody else touches it, so that it is known how it has to be. */
export interface Share {
  readonly client: string;
  readonly ledger: Ledger;
  readonly random: Random;
  /** A number that no other order has for its quantity. */
  readonly nextTag: () => number;
  readonly available: Animal[];
  readonly open: OpenOrder[];
  wishes: number;
}

const KEYED = 0.6;
/** Animals that a client keeps in mind to do something with. */
const ANIMALS_MAX = 20;

export function nextWish(share: Share): Wish {
  share.wishes++;
  const choice = share.random.next();
  const pet = choice < 0.4 ? take(share.random, share.available) : undefined;
  if (pet !== undefined) return choice < 0.05 ? removePet(share, pet) : placeOrder(share, pet);
  const order = choice < 0.7 ? take(share.random, share.open) : undefined;
  if (order !== undefined) return choice < 0.55 ? completeOrder(share, order) : cancelOrder(share, order);
  return choice > 0.85 ? submitMessage(share) : createPet(share);
}

function take<Value>(random: Random, values: Value[]): Value | undefined {
  return values.splice(random.between(0, Math.max(0, values.length - 1)), 1)[0];
}

function maybeKey({ random, client }: Share, title: string) {
  return random.chance(KEYED) ? { idempotencyKey: `${title} of ${client}`.replaceAll(" ", "-") } : {};
}

function createPet(share: Share): Wish {
  const { client, wishes, ledger, available } = share;
  const title = `pet ${client}-${wishes}`;
  return {
    ...{ method: "POST", service: "production", path: "/pets", done: [201], ...maybeKey(share, title) },
    body: JSON.stringify({ name: title, categoryId: wishes, status: "available" }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.give("pet", id, title);
      ledger.pets.set(title, { id, status: "available" });
      available.push({ id, name: title });
      if (available.length > ANIMALS_MAX) available.shift();
    },
    onLost: () => ledger.unknown.add(title),
  };
}

function removePet({ ledger }: Share, { id, name }: Animal): Wish {
  return {
    ...{ method: "DELETE", service: "production", path: `/pets/${id}`, done: [204], doneBefore: [204, 404] },
    onDone() {
      ledger.pets.delete(name);
      ledger.removed.add(name);
    },
  };
}

function placeOrder(share: Share, pet: Animal): Wish {
  const { ledger, open, nextTag } = share;
  const quantity = nextTag();
  const tag = `order ${quantity}`;
  return {
    ...{ method: "POST", service: "production", path: "/store/orders", done: [201], ...maybeKey(share, tag) },
    body: JSON.stringify({ petId: pet.id, quantity }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.give("order", id, tag);
      ledger.orders.set(tag, { id, isComplete: false });
      ledger.pets.set(pet.name, { id: pet.id, status: "pending" });
      open.push({ id, tag, pet });
    },
    onLost() {
      ledger.unknown.add(tag);
      ledger.unknown.add(pet.name);
    },
  };
}

function completeOrder(share: Share, { id, tag, pet }: OpenOrder): Wish {
  const { ledger } = share;
  return {
    ...{ method: "POST", service: "production", path: `/store/orders/${id}/complete` },
    ...{ done: [200], doneBefore: [200, 409], ...maybeKey(share, `end of ${tag}`) },
    onDone() {
      ledger.orders.set(tag, { id, isComplete: true });
      ledger.pets.set(pet.name, { id: pet.id, status: "sold" });
    },
  };
}

function cancelOrder({ ledger, available }: Share, { id, tag, pet }: OpenOrder): Wish {
  return {
    ...{ method: "DELETE", service: "production", path: `/store/orders/${id}` },
    ...{ done: [204], doneBefore: [204, 404] },
    onDone() {
      ledger.orders.delete(tag);
      ledger.removed.add(tag);
      ledger.pets.set(pet.name, { id: pet.id, status: "available" });
      available.push(pet);
    },
  };
}

function submitMessage(share: Share): Wish {
  const { client, wishes, ledger } = share;
  const text = `message ${client}-${wishes}`;
  return {
    ...{ method: "POST", service: "messages", path: "/messages", done: [202], ...maybeKey(share, text) },
    body: JSON.stringify({ message: text }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.give("message", id, text);
      ledger.messages.set(text, { id });
    },
    onLost: () => ledger.unknown.add(text),
  };
}
