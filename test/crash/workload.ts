import type { Reply, Server } from "../wire/server.ts";
import { send } from "../wire/server.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/** Something a client asks for, which can be asked for again. */
interface Wish {
  readonly method: "POST" | "DELETE";
  readonly service: "production" | "messages";
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  /** The statuses that mean it is done; a wish without an `Idempotency-Key` may find that it was done before. */
  readonly done: readonly number[];
  readonly doneBefore?: readonly number[];
  onDone(reply: Reply): void;
  /** It was asked for once, nobody knows what came of it, and asking again could do it twice. */
  onLost?(): void;
}

export interface Client {
  /** Asks for one thing after the other until `isOver`, or until something is not answered as it should be. */
  run(server: Server, isOver: () => boolean): Promise<void>;
  /** Finds out what came of what was not answered. */
  resolve(server: Server): Promise<void>;
}

/** How long, at most, and how often an attempt is repeated that finds the first one still under way. */
const RETRIES_MAX = 200;
const RETRY_PAUSE_MS = 50;
/** A client does something new with one of the last few animals and orders, so that they stay few. */
const OPEN_MAX = 20;

/** One of many clients: what it makes is its own, so that it knows how it has to be. */
export function createClient(
  name: string,
  key: string,
  ledger: Ledger,
  random: Random,
  nextTag: () => number,
): Client {
  const available: { id: number; name: string }[] = [];
  const open: { id: number; tag: string; pet: { id: number; name: string } }[] = [];
  let unanswered: Wish | undefined;
  let count = 0;

  const maybeKey = (title: string) =>
    random.chance(0.6) ? { idempotencyKey: `${title} of ${name}`.replaceAll(" ", "-") } : {};
  function take<Value>(values: Value[]): Value | undefined {
    return values.splice(random.between(0, Math.max(0, values.length - 1)), 1)[0];
  }

  function createPet(): Wish {
    const title = `pet ${name}-${count}`;
    return {
      ...{ method: "POST", service: "production", path: "/pets", ...maybeKey(title), done: [201] },
      body: JSON.stringify({ name: title, categoryId: count, status: "available" }),
      onDone({ body }) {
        const { id } = JSON.parse(body);
        ledger.give("pet", id, title);
        ledger.pets.set(title, { id, status: "available" });
        available.push({ id, name: title });
        if (available.length > OPEN_MAX) available.shift();
      },
      onLost: () => ledger.unknown.add(title),
    };
  }

  function placeOrder(pet: { id: number; name: string }): Wish {
    const quantity = nextTag();
    const tag = `order ${quantity}`;
    return {
      ...{ method: "POST", service: "production", path: "/store/orders", ...maybeKey(tag), done: [201] },
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

  function completeOrder({ id, tag, pet }: (typeof open)[number]): Wish {
    const path = `/store/orders/${id}/complete`;
    return {
      ...{ method: "POST", service: "production", path, ...maybeKey(`end of ${tag}`) },
      ...{ done: [200], doneBefore: [200, 409] },
      onDone() {
        ledger.orders.set(tag, { id, isComplete: true });
        ledger.pets.set(pet.name, { id: pet.id, status: "sold" });
      },
    };
  }

  function cancelOrder({ id, tag, pet }: (typeof open)[number]): Wish {
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

  function removePet({ id, name }: { id: number; name: string }): Wish {
    return {
      ...{
        method: "DELETE",
        service: "production",
        path: `/pets/${id}`,
        done: [204],
        doneBefore: [204, 404],
      },
      onDone() {
        ledger.pets.delete(name);
        ledger.removed.add(name);
      },
    };
  }

  function submitMessage(): Wish {
    const text = `message ${name}-${count}`;
    return {
      ...{ method: "POST", service: "messages", path: "/messages", ...maybeKey(text), done: [202] },
      body: JSON.stringify({ message: text }),
      onDone({ body }) {
        const { id } = JSON.parse(body);
        ledger.give("message", id, text);
        ledger.messages.set(text, { id });
      },
      onLost: () => ledger.unknown.add(text),
    };
  }

  function nextWish(): Wish {
    count++;
    const choice = random.next();
    const pet = choice < 0.4 ? take(available) : undefined;
    if (pet !== undefined) return choice < 0.05 ? removePet(pet) : placeOrder(pet);
    const order = choice < 0.7 ? take(open) : undefined;
    if (order !== undefined) return choice < 0.55 ? completeOrder(order) : cancelOrder(order);
    return choice > 0.85 ? submitMessage() : createPet();
  }

  const ask = (server: Server, { method, service, path, body, idempotencyKey }: Wish): Promise<Reply> =>
    send(method, server[service] + path, {
      key,
      ...(body === undefined ? {} : { body }),
      headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
    });

  function settle(wish: Wish, reply: Reply): void {
    wish.onDone(reply);
    ledger.acknowledged++;
    unanswered = undefined;
  }

  async function askAgain(server: Server, wish: Wish): Promise<Reply> {
    for (let retry = 0; ; retry++) {
      const reply = await ask(server, wish);
      const isUnderWay = reply.status === 503 || reply.body.includes("idempotency_in_progress");
      if (!isUnderWay || retry >= RETRIES_MAX) return reply;
      await Bun.sleep(RETRY_PAUSE_MS);
    }
  }

  function misanswered({ method, path, body }: Wish, reply: Reply): void {
    unanswered = undefined;
    const request = `${method} ${path} ${body ?? ""}`;
    ledger.blame("misanswered", `${request} was answered ${reply.status} ${reply.body}`);
  }

  return {
    async run(server, isOver) {
      while (!isOver()) {
        const wish = nextWish();
        unanswered = wish;
        const reply = await ask(server, wish).catch(() => undefined);
        // Gone, or it says that it cannot be reached: what came of it is found out later.
        if (reply === undefined || reply.status === 503) return;
        if (!wish.done.includes(reply.status)) return misanswered(wish, reply);
        settle(wish, reply);
        if (wish.idempotencyKey === undefined || !random.chance(0.1)) continue;
        const again = await ask(server, wish).catch(() => undefined);
        if (again === undefined || again.status === 503) return;
        if (again.body !== reply.body || again.headers.get("Idempotent-Replayed") !== "true")
          return misanswered(wish, again);
      }
    },
    async resolve(server) {
      const wish = unanswered;
      unanswered = undefined;
      if (wish === undefined) return;
      if (wish.idempotencyKey === undefined && wish.onLost !== undefined) return wish.onLost();
      const reply = await askAgain(server, wish);
      const isKeyed = wish.idempotencyKey !== undefined;
      const done = isKeyed ? wish.done : (wish.doneBefore ?? wish.done);
      if (!done.includes(reply.status)) return misanswered(wish, reply);
      settle(wish, reply);
    },
  };
}
