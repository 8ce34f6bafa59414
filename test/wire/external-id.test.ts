import { expect, test } from "bun:test";
import type { Pet } from "../../src/pets/contract.ts";
import { onBothEngines } from "./server.ts";

// Tests `externalId`, the number that the caller's own system gives an animal.

onBothEngines(({ useStore }) => {
  const store = useStore();
  const add = (members: object, headers: Readonly<Record<string, string>> = {}) =>
    store.post("/pets", JSON.stringify({ name: "Rex", categoryId: 1, ...members }), headers);
  const find = async (query: string): Promise<readonly Pet[]> =>
    (await store.get(`/pets?${encodeURI(query)}`)).json;
  const change = (id: unknown, patch: object, headers: Readonly<Record<string, string>> = {}) =>
    store.send(`PATCH /pets/${id}`, { body: JSON.stringify(patch), headers });
  const conflict = (id: unknown, name: string) => ({
    status: 409,
    json: {
      code: "conflict",
      message: `Animal ${id} (Rex) already has the externalId ${JSON.stringify(name)}.`,
    },
  });

  test("a number is stored as sent, and absent from an animal without one", async () => {
    const sent = " Ä-1001 🦊 ";
    const { status, json } = await add({ externalId: sent });
    expect([status, json]).toEqual([201, { id: json.id, name: "Rex", categoryId: 1, externalId: sent }]);
    expect(await find(`id=${json.id}`)).toEqual([json]);
    expect((await add({})).json).not.toHaveProperty("externalId");
  });

  test("two animals never have the same number, and the refusal names the animal that has it", async () => {
    const { json: first } = await add({ externalId: "taken" });
    expect(await add({ externalId: "taken" })).toMatchObject(conflict(first.id, "taken"));
    expect(await add({ externalId: "Taken" })).toMatchObject({ status: 201 });
    const { json: other } = await add({});
    expect(await change(other.id, { externalId: "taken", name: "x" })).toMatchObject(
      conflict(first.id, "taken"),
    );
    expect(await find(`id=${other.id}`)).toEqual([other]);
    expect(await change(first.id, { externalId: "taken" })).toMatchObject({ status: 200, json: first });
  });

  test("only one of several writers gets the number, and the refused ones do not affect animals sent at the same time", async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        add(index % 3 === 0 ? {} : { externalId: `race ${index % 4}` }),
      ),
    );
    const [added, refused] = [201, 409].map((code) => replies.filter(({ status }) => status === code));
    expect([added?.length, refused?.length]).toEqual([24, 36]);
    const found = await find("externalId=race 0,race 1,race 2,race 3");
    expect(found.map(({ externalId }) => externalId).sort()).toEqual([
      "race 0",
      "race 1",
      "race 2",
      "race 3",
    ]);
    for (const { json } of refused ?? [])
      expect(found.map(({ id }) => json.message.startsWith(`Animal ${id} `))).toContain(true);
  });

  test("only one of several concurrent changes gets the number", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.pet()));
    const replies = await Promise.all(ids.map((id) => change(id, { externalId: "one of eight" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...new Array(7).fill(409)]);
    expect(await find("externalId=one of eight")).toHaveLength(1);
  });

  test("a removed animal's number is free again, and null removes it from an animal", async () => {
    const { json: gone } = await add({ externalId: "free" });
    await store.send(`DELETE /pets/${gone.id}`);
    const { json: next } = await add({ externalId: "free" });
    expect(await change(next.id, { externalId: null })).toMatchObject({ status: 200 });
    expect(await find(`id=${next.id}`)).toEqual([{ id: next.id, name: "Rex", categoryId: 1 }]);
    expect(await add({ externalId: "free" })).toMatchObject({ status: 201 });
  });

  test("lists can be filtered by up to 100 numbers", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `list-${index}`);
    const added = await Promise.all(names.map((externalId) => add({ externalId, status: "sold" })));
    expect(await find(`externalId=${names.join()}`)).toHaveLength(100);
    expect(await find("externalId=list-7&externalId=list-9,nothing")).toHaveLength(2);
    expect(await find("externalId=list-7&status=available")).toEqual([]);
    const one = await store.get("/pets?externalId=list-7");
    expect(one.headers.get("ETag")).toBe(added[7]?.headers.get("ETag") ?? "");
    for (const [query, part] of [
      [`externalId=${names.join()},more`, "1 to 100 comma-separated texts"],
      ["externalId=a,,b", "1 to 100 comma-separated texts"],
      [`externalId=${"x".repeat(256)}`, "at most 255 characters"],
    ] as const)
      expect(await store.get(`/pets?${query}`)).toMatchObject({
        status: 400,
        json: { code: "invalid_parameter", message: expect.stringContaining(part) },
      });
  });

  test("an empty number, one with a comma, one of 256 characters, and null in a new animal are refused", async () => {
    for (const externalId of ["", "a,b", "x".repeat(256), 7, null])
      expect(await add({ externalId })).toMatchObject({
        status: 400,
        json: { code: "invalid_body", message: expect.stringMatching(/^externalId must /) },
      });
  });

  test("a retry with the same Idempotency-Key replays the 201, and a refusal is not recorded", async () => {
    const key = { "Idempotency-Key": "external" };
    const first = await add({ externalId: "once" }, key);
    const again = await add({ externalId: "once" }, key);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const refused = { "Idempotency-Key": "refused" };
    expect(await add({ externalId: "once" }, refused)).toMatchObject(conflict(first.json.id, "once"));
    await store.send(`DELETE /pets/${first.json.id}`);
    expect(await add({ externalId: "once" }, refused)).toMatchObject({ status: 201 });
  });

  test("events show the number, and a change also shows the old one", async () => {
    const { json: pet } = await add({ externalId: "before" });
    await change(pet.id, { externalId: "after", name: "Max" });
    await change(pet.id, { externalId: "after" });
    await change(pet.id, { externalId: null });
    const { json: events } = await store.get(`/events?petId=${pet.id}&order=asc`);
    expect(
      events.map(({ data, previous }: { data: Pet; previous?: Pet }) => [data.externalId, previous]),
    ).toEqual([
      ["before", undefined],
      ["after", { name: "Rex", externalId: "before" }],
      [undefined, { externalId: "after" }],
    ]);
  });

  test("an order's animal keeps it, and it can be changed while the order is open", async () => {
    const { json: pet } = await add({ externalId: "ordered", status: "available" });
    const orderId = await store.order(pet.id);
    expect(await change(pet.id, { externalId: "ordered 2" })).toMatchObject({ status: 200 });
    expect(await change(pet.id, { externalId: "ordered 3", status: "sold" })).toMatchObject({ status: 409 });
    await store.post(`/store/orders/${orderId}/complete`, "");
    expect(await find("externalId=ordered 2")).toEqual([{ ...pet, status: "sold", externalId: "ordered 2" }]);
  });
});
