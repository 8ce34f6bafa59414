import { expect, test } from "bun:test";
import fc from "fast-check";
import { onBothEngines } from "./server.ts";

const STATUSES = ["available", "pending", "sold", null] as const;
const ANIMALS = 2;

/** A request about an animal or its last order. */
const step = fc.record({
  animal: fc.nat(ANIMALS - 1),
  action: fc.oneof(
    fc.constantFrom("place", "place", "complete", "cancel", "rename", "remove"),
    fc.record({ set: fc.constantFrom(...STATUSES) }),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Expected state of an animal: `order` is the last one that was placed for it. */
interface Animal {
  readonly id: number;
  status: (typeof STATUSES)[number];
  isRemoved: boolean;
  order: { readonly id: number; state: "open" | "complete" | "cancelled" } | undefined;
}

onBothEngines(({ useStore }) => {
  const server = useStore();

  async function call(method: string, path: string, body?: object) {
    const reply = await server.send(`${method} ${path}`, { ...(body && { body: JSON.stringify(body) }) });
    const { id, code, message, status } = reply.body === "" ? {} : JSON.parse(reply.body);
    return { status: reply.status, id, code, message, petStatus: status };
  }

  async function addAnimal(): Promise<Animal> {
    const { id } = await call("POST", "/pets", { name: "x", categoryId: 1, status: "available" });
    return { id, status: "available", isRemoved: false, order: undefined };
  }

  async function take(animal: Animal, { action }: Step): Promise<void> {
    const { id, order } = animal;
    const isOpen = order?.state === "open";
    if (action === "place") {
      const placed = await call("POST", "/store/orders", { petId: id });
      expect(placed.status).toBe(animal.isRemoved ? 404 : animal.status === "available" ? 201 : 409);
      if (isOpen) expect(placed.message).toBe(`Animal ${id} has an open order: ${order.id}.`);
      if (placed.status !== 201) return;
      animal.order = { id: placed.id, state: "open" };
      animal.status = "pending";
    } else if (action === "complete" || action === "cancel") {
      if (order === undefined) return;
      const path = `/store/orders/${order.id}`;
      const ended = await (action === "complete" ? call("POST", `${path}/complete`) : call("DELETE", path));
      const done = action === "complete" ? 200 : 204;
      expect(ended.status).toBe(isOpen ? done : order.state === "cancelled" ? 404 : 409);
      if (!isOpen) return;
      order.state = action === "complete" ? "complete" : "cancelled";
      animal.status = action === "complete" ? "sold" : "available";
    } else if (action === "remove") {
      const removed = await call("DELETE", `/pets/${id}`);
      expect(removed.status).toBe(animal.isRemoved ? 404 : isOpen ? 409 : 204);
      animal.isRemoved ||= !isOpen;
    } else {
      const changes = action === "rename" ? { name: "y" } : { status: action.set };
      const changed = await call("PATCH", `/pets/${id}`, changes);
      const isRefused = isOpen && action !== "rename";
      expect(changed.status).toBe(animal.isRemoved ? 404 : isRefused ? 409 : 200);
      if (action !== "rename" && changed.status === 200) animal.status = action.set;
    }
  }

  /** The animal's status and the numbers of its open orders, from the lists. */
  async function stored({ id }: Animal) {
    const get = async (path: string) => JSON.parse((await server.get(path)).body);
    const [pet] = await get(`/pets?id=${id}`);
    const orders: { id: number; petId: number; complete: boolean }[] = await get("/store/orders?limit=100");
    return {
      status: pet?.status,
      open: orders.filter(({ petId, complete }) => petId === id && !complete).map((order) => order.id),
    };
  }

  test("after any sequence of requests an animal with an open order is pending, and no other is by an order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const animals = await Promise.all(Array.from({ length: ANIMALS }, addAnimal));
        for (const one of steps) {
          const animal = animals[one.animal];
          if (animal === undefined) throw new Error("There is no such animal.");
          await take(animal, one);
          const { status, open } = await stored(animal);
          expect(open).toEqual(animal.order?.state === "open" ? [animal.order.id] : []);
          expect(status).toBe(animal.isRemoved ? undefined : (animal.status ?? undefined));
          if (open.length > 0) expect(status).toBe("pending");
        }
      }),
      { numRuns: 25 },
    );
  });
});
