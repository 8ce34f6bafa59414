import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";

// A patch without preconditions and without a key needs no transaction. Its statement compares the stored row with what was read
// before.

interface Body {
  readonly id: number;
  readonly status: string;
  readonly code: string;
}

interface Changed {
  readonly type: string;
  readonly data: object;
  readonly previous?: object;
}

onEachEngine(
  (store) => {
    let app: TestApp;
    let key: string;
    beforeAll(async () => {
      app = await createTestApp({}, await store());
      key = (await app.makeKey()).token;
    });
    afterAll(() => app.close());

    const send = async <Answer = Body>(request: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await app.send("production", request, { key, ...sent });
      return { status: response.status, body: (await response.json()) as Answer };
    };
    const addPet = async (pet: object = {}) =>
      (await send("POST /v1/pets", { name: "Nala", categoryId: 1, status: "available", ...pet })).body.id;
    const eventsOf = async (petId: number) =>
      (await send<Changed[]>(`GET /v1/events?order=asc&limit=100&petId=${petId}`)).body;
    const times = <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, index) => make(index));

    test("patches of one animal at the same time are all made, and each event begins where the one before ends", async () => {
      const petId = await addPet();
      const patches = times(
        30,
        (index) => [{ name: `Nala ${index}` }, { categoryId: 100 + index }][index % 2] ?? {},
      );
      const answers = await Promise.all(patches.map((patch) => send(`PATCH /v1/pets/${petId}`, patch)));
      for (const [index, { status, body }] of answers.entries()) {
        expect(status).toBe(200);
        expect(body).toMatchObject(patches[index] ?? {});
      }
      const [, ...updated] = await eventsOf(petId);
      expect(updated).toHaveLength(patches.length);
      let known: object = { id: petId, name: "Nala", categoryId: 1, status: "available" };
      for (const { type, data, previous } of updated) {
        expect(type).toBe("pet.updated");
        expect({ ...data, ...previous }).toEqual(known);
        known = data;
      }
      expect((await send<object>(`GET /v1/pets/${petId}`)).body).toEqual(known);
    });

    test("an animal is never ordered and given another status at the same time", async () => {
      for (let round = 0; round < 20; round++) {
        const petId = await addPet();
        const [order, patch] = await Promise.all([
          send("POST /v1/store/orders", { petId }),
          send(`PATCH /v1/pets/${petId}`, { status: "sold" }),
        ]);
        expect([
          [201, 409],
          [409, 200],
        ]).toContainEqual([order.status, patch.status]);
        const { body } = await send(`GET /v1/pets/${petId}`);
        expect(body.status).toBe(order.status === 201 ? "pending" : "sold");
      }
    });

    test("of animals that get one externalId at the same time, one has it", async () => {
      const ids = await Promise.all(times(8, () => addPet()));
      const patch = { externalId: `A-${ids[0]}` };
      const answers = await Promise.all(ids.map((petId) => send(`PATCH /v1/pets/${petId}`, patch)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(7, () => 409)]);
    });

    test("a patch that changes nothing appends no event, and is refused for the same reasons as one that changes something", async () => {
      const petId = await addPet();
      expect((await send(`PATCH /v1/pets/${petId}`, { status: "available" })).status).toBe(200);
      expect(await eventsOf(petId)).toHaveLength(1);
      await send("POST /v1/store/orders", { petId });
      expect((await send(`PATCH /v1/pets/${petId}`, { status: "pending" })).body.code).toBe(
        "pet_has_open_order",
      );
      expect((await send("PATCH /v1/pets/999999", { name: "x" })).status).toBe(404);
    });

    test("an event has the animal as the answer has it, with members that a patch removes left out", async () => {
      const petId = await addPet({ externalId: "B-1" });
      const { body } = await send(`PATCH /v1/pets/${petId}`, { status: null, externalId: null });
      expect<object>(body).toEqual({ id: petId, name: "Nala", categoryId: 1 });
      const [, event] = await eventsOf(petId);
      expect([event?.data, event?.previous]).toEqual([body, { status: "available", externalId: "B-1" }]);
    });

    test("changes of a category at the same time are all made", async () => {
      const { body } = await send("POST /v1/categories", { name: "Cats" });
      const answers = await Promise.all(
        times(10, (index) => send(`PATCH /v1/categories/${body.id}`, { name: `Cats ${index}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    });
  },
  { always: true },
);
