import { expect, test } from "bun:test";
import { onEachEngine } from "./test-app.ts";
import { useApp } from "./use-app.ts";
import { persist } from "./wire/send.ts";

// The service stores a patch, or an order without an Idempotency-Key, by a single SQL statement without a transaction. The
// statement compares the stored row with the row that was read before.

interface Changed {
  readonly type: string;
  readonly data: object;
  readonly previous?: object;
}

onEachEngine(
  (store) => {
    const shop = useApp(store);
    const patchPet = (id: number, body: object, headers: Record<string, string> = {}) =>
      shop.send(`PATCH /pets/${id}`, { body, headers });
    const tagOf = async (id: number) => (await shop.get(`/pets/${id}`)).headers.get("etag") ?? "";
    const eventsOf = async (petId: number): Promise<readonly Changed[]> =>
      (await shop.get(`/events?order=asc&limit=100&petId=${petId}`)).json;
    const times = <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, index) => make(index));

    test("concurrent patches of one animal are all made, and each event continues from the previous one", async () => {
      const petId = await shop.pet({ name: "Nala" });
      const patches = times(
        30,
        (index) => [{ name: `Nala ${index}` }, { categoryId: 100 + index }][index % 2] ?? {},
      );
      const answers = await Promise.all(patches.map((patch) => persist(() => patchPet(petId, patch))));
      for (const [index, { status, json }] of answers.entries()) {
        expect(status).toBe(200);
        expect(json).toMatchObject(patches[index] ?? {});
      }
      const [, ...updated] = await eventsOf(petId);
      expect(updated).toHaveLength(patches.length);
      let known: object = { id: petId, name: "Nala", categoryId: 1, status: "available" };
      for (const { type, data, previous } of updated) {
        expect(type).toBe("pet.updated");
        expect({ ...data, ...previous }).toEqual(known);
        known = data;
      }
      expect((await shop.get(`/pets/${petId}`)).json).toEqual(known);
    });

    test("an animal is never ordered and given another status at the same time", async () => {
      for (let round = 0; round < 20; round++) {
        const petId = await shop.pet({ name: "Nala" });
        const [order, patch] = await Promise.all([
          shop.post("/store/orders", { petId }),
          patchPet(petId, { status: "sold" }),
        ]);
        expect([
          [201, 409],
          [409, 200],
        ]).toContainEqual([order.status, patch.status]);
        const { json } = await shop.get(`/pets/${petId}`);
        expect(json.status).toBe(order.status === 201 ? "pending" : "sold");
      }
    });

    test("of several patches with the same ETag, one is made and the others get 412", async () => {
      const petId = await shop.pet();
      for (let round = 0; round < 20; round++) {
        const headers = { "If-Match": await tagOf(petId) };
        const answers = await Promise.all(
          times(4, (index) => patchPet(petId, { name: `${round}-${index}` }, headers)),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
        const made = answers.find(({ status }) => status === 200);
        expect((await shop.get(`/pets/${petId}`)).json).toEqual(made?.json);
      }
      expect(await eventsOf(petId)).toHaveLength(21);
    });

    test("a precondition is checked after the animal's existence and before its open order", async () => {
      const petId = await shop.pet();
      await shop.order(petId);
      const etag = await tagOf(petId);
      const statusOf = async (headers: Record<string, string>, id = petId) =>
        (await patchPet(id, { status: "sold" }, headers)).status;
      expect(await statusOf({ "If-Match": '"other"' }, 999_999)).toBe(404);
      expect(await statusOf({ "If-Match": '"other"' })).toBe(412);
      expect(await statusOf({ "If-None-Match": etag })).toBe(412);
      expect(await statusOf({ "If-Match": etag })).toBe(409);
      expect(await statusOf({ "If-Match": "other" })).toBe(400);
    });

    test("of several concurrent orders for one animal, one is placed, and its event comes before the animal's", async () => {
      for (let round = 0; round < 20; round++) {
        const petId = await shop.pet();
        const place = (headers: Record<string, string>) =>
          shop.send("POST /store/orders", { body: { petId }, headers });
        const answers = await Promise.all([{}, {}, { "Idempotency-Key": `${round}` }].map(place));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
        const placed = answers.find(({ status }) => status === 201)?.json;
        const [, ...events] = await eventsOf(petId);
        expect(events).toMatchObject([
          { type: "order.placed", data: placed },
          { type: "pet.updated", previous: { status: "available" } },
        ]);
      }
    });

    test("a concurrent order and renaming both succeed", async () => {
      for (let round = 0; round < 20; round++) {
        const petId = await shop.pet();
        const [order, patch] = await Promise.all([
          shop.post("/store/orders", { petId }),
          patchPet(petId, { name: "Toby" }),
        ]);
        expect([order.status, patch.status]).toEqual([201, 200]);
        expect((await shop.get(`/pets/${petId}`)).json).toMatchObject({ name: "Toby", status: "pending" });
      }
    });

    test("when several animals get the same externalId at once, only one keeps it", async () => {
      const ids = await Promise.all(times(8, () => shop.pet()));
      const patch = { externalId: `A-${ids[0]}` };
      const answers = await Promise.all(ids.map((petId) => patchPet(petId, patch)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(7, () => 409)]);
    });

    test("a patch that changes nothing appends no event, and is refused for the same reasons as one that changes something", async () => {
      const petId = await shop.pet({ name: "Nala" });
      expect((await patchPet(petId, { status: "available" })).status).toBe(200);
      expect(await eventsOf(petId)).toHaveLength(1);
      await shop.order(petId);
      expect((await patchPet(petId, { status: "pending" })).json.code).toBe("pet_has_open_order");
      expect((await patchPet(999_999, { name: "x" })).status).toBe(404);
    });

    test("an event shows the same animal as the response, without members that the patch removed", async () => {
      const petId = await shop.pet({ name: "Nala", externalId: "B-1" });
      const { json } = await patchPet(petId, { status: null, externalId: null });
      expect(json).toEqual({ id: petId, name: "Nala", categoryId: 1 });
      const [, event] = await eventsOf(petId);
      expect([event?.data, event?.previous]).toEqual([json, { status: "available", externalId: "B-1" }]);
    });

    test("concurrent changes of a category are all made", async () => {
      const id = await shop.add("/categories", { name: "Cats" });
      const answers = await Promise.all(
        times(10, (index) => shop.send(`PATCH /categories/${id}`, { body: { name: `Cats ${index}` } })),
      );
      expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    });
  },
  { always: true },
);
