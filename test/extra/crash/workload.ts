import type { Random } from "../../random.ts";
import type { Reply } from "../../wire/send.ts";
import type { Ledger } from "./ledger.ts";

/** A request that the test sends to the service, possibly more than once. */
export interface WorkloadRequest {
  readonly method: "POST" | "DELETE";
  readonly service: "production" | "messages";
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  /**
   * The statuses that mean success. The statuses in `doneBefore` also mean success if the request has no `Idempotency-Key` and has
   * been sent before, because the earlier request may have been executed.
   */
  readonly done: readonly number[];
  readonly doneBefore?: readonly number[];
  onDone(reply: Reply): void;
  /** Called when nobody knows whether the request was executed, and sending it again might execute it twice. */
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

/** The animals and orders of one client. No other client changes them, so the client knows their state. */
export interface ClientState {
  readonly client: string;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Returns a shipping time that no other order has. */
  readonly nextTag: () => number;
  readonly available: Animal[];
  readonly open: OpenOrder[];
  requests: number;
}

const KEYED = 0.6;
/** The number of animals that a client remembers and uses in later requests. */
const ANIMALS_MAX = 20;

export function nextRequest(state: ClientState): WorkloadRequest {
  state.requests++;
  const choice = state.random.next();
  const pet = choice < 0.4 ? take(state.random, state.available) : undefined;
  if (pet !== undefined) return choice < 0.05 ? removePet(state, pet) : placeOrder(state, pet);
  const order = choice < 0.7 ? take(state.random, state.open) : undefined;
  if (order !== undefined) return choice < 0.55 ? completeOrder(state, order) : cancelOrder(state, order);
  return choice > 0.85 ? submitMessage(state) : createPet(state);
}

function take<Value>(random: Random, values: Value[]): Value | undefined {
  return values.splice(random.between(0, Math.max(0, values.length - 1)), 1)[0];
}

function maybeKey({ random, client }: ClientState, title: string) {
  return random.chance(KEYED) ? { idempotencyKey: `${title} of ${client}`.replaceAll(" ", "-") } : {};
}

function createPet(state: ClientState): WorkloadRequest {
  const { client, requests, ledger, available } = state;
  const title = `pet ${client}-${requests}`;
  return {
    ...{ method: "POST", service: "production", path: "/pets", done: [201], ...maybeKey(state, title) },
    body: JSON.stringify({ name: title, categoryId: requests, status: "available" }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.assign("pet", id, title);
      ledger.pets.set(title, { id, status: "available" });
      available.push({ id, name: title });
      if (available.length > ANIMALS_MAX) available.shift();
    },
    onLost: () => ledger.unknown.add(title),
  };
}

function removePet({ ledger }: ClientState, { id, name }: Animal): WorkloadRequest {
  return {
    ...{ method: "DELETE", service: "production", path: `/pets/${id}`, done: [204], doneBefore: [204, 404] },
    onDone() {
      ledger.pets.delete(name);
      ledger.removed.add(name);
    },
  };
}

function placeOrder(state: ClientState, pet: Animal): WorkloadRequest {
  const { ledger, open, nextTag } = state;
  const shipAt = nextTag();
  const tag = `order ${shipAt}`;
  return {
    ...{ method: "POST", service: "production", path: "/store/orders", done: [201], ...maybeKey(state, tag) },
    body: JSON.stringify({ petId: pet.id, shipDate: new Date(shipAt).toISOString() }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.assign("order", id, tag);
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

function completeOrder(state: ClientState, { id, tag, pet }: OpenOrder): WorkloadRequest {
  const { ledger } = state;
  return {
    ...{ method: "POST", service: "production", path: `/store/orders/${id}/complete` },
    ...{ done: [200], doneBefore: [200, 409], ...maybeKey(state, `end of ${tag}`) },
    onDone() {
      ledger.orders.set(tag, { id, isComplete: true });
      ledger.pets.set(pet.name, { id: pet.id, status: "sold" });
    },
  };
}

function cancelOrder({ ledger, available }: ClientState, { id, tag, pet }: OpenOrder): WorkloadRequest {
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

function submitMessage(state: ClientState): WorkloadRequest {
  const { client, requests, ledger } = state;
  const text = `message ${client}-${requests}`;
  return {
    ...{ method: "POST", service: "messages", path: "/messages", done: [202], ...maybeKey(state, text) },
    body: JSON.stringify({ message: text }),
    onDone({ body }) {
      const { id } = JSON.parse(body);
      ledger.assign("message", id, text);
      ledger.messages.set(text, { id });
    },
    onLost: () => ledger.unknown.add(text),
  };
}
