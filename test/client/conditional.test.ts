import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, etagOf, PetstoreError } from "../../client/src/client.ts";
import { makeKey, useStore } from "../wire/server.ts";

// `ifMatch` protects a change; `etagOf` knows the tag of every resource that a call returns by itself.

describe("ifMatch and etagOf", () => {
  const server = useStore();
  let client: Client;
  beforeAll(async () => {
    client = createClient({ key: server.key, baseUrl: server.production });
  });

  const addPet = () => client.pets.create({ name: "Fluffy", categoryId: 1, status: "available" });

  async function only<Item>(items: AsyncIterable<Item>): Promise<Item> {
    const [item] = await Array.fromAsync(items);
    if (item === undefined) throw new Error("There is none.");
    return item;
  }

  async function refusalOf(change: Promise<unknown>): Promise<PetstoreError> {
    const reason = await change.then(
      () => "done",
      (error: unknown) => error,
    );
    if (reason instanceof PetstoreError) return reason;
    throw reason;
  }

  test("the tag is known of an animal that was created, read, listed alone and updated", async () => {
    const created = await addPet();
    const read = await client.pets.get(created.id);
    const listed = await only(client.pets.list({ ids: [created.id] }));
    expect(etagOf(created)).toMatch(/^"[0-9a-z]+"$/);
    expect([etagOf(read), etagOf(listed)]).toEqual([etagOf(created), etagOf(created)]);
    const updated = await client.pets.update(created.id, { name: "Rex" }, { ifMatch: etagOf(listed) });
    expect(etagOf(updated)).not.toBe(etagOf(created));
    await client.pets.delete(created.id, { ifMatch: etagOf(updated) });
    expect(await Array.fromAsync(client.pets.list({ ids: [created.id] }))).toEqual([]);
  });

  test("the second of two writers is refused with precondition_failed, and nothing is overwritten", async () => {
    const pet = await addPet();
    await client.pets.update(pet.id, { name: "first" }, { ifMatch: etagOf(pet) });
    for (const second of [
      client.pets.update(pet.id, { name: "second" }, { ifMatch: etagOf(pet) }),
      client.pets.delete(pet.id, { ifMatch: etagOf(pet) }),
    ]) {
      expect(await refusalOf(second)).toMatchObject({
        code: "precondition_failed",
        status: 412,
        outcomeUnknown: false,
      });
    }
    expect(await only(client.pets.list({ ids: [pet.id] }))).toMatchObject({ name: "first" });
  });

  test("an order is cancelled only as it was seen; * is any that exists", async () => {
    const pet = await addPet();
    const placed = await client.orders.place({ petId: pet.id });
    expect(etagOf(await client.orders.get(placed.id))).toBe(etagOf(placed));
    expect((await refusalOf(client.orders.cancel(placed.id, { ifMatch: '"other"' }))).status).toBe(412);
    await client.orders.cancel(placed.id, { ifMatch: etagOf(placed) });
    expect((await refusalOf(client.orders.cancel(placed.id, { ifMatch: "*" }))).status).toBe(404);
    const again = await client.orders.place({ petId: pet.id });
    expect((await refusalOf(client.orders.complete(again.id, { ifMatch: etagOf(placed) }))).status).toBe(412);
    const completed = await client.orders.complete(again.id, { ifMatch: etagOf(again) });
    expect(etagOf(completed)).toBe(etagOf(await client.orders.get(again.id)));
  });

  test("a category is changed and deleted only as it was seen", async () => {
    // The animals of the other tests are in category 1.
    await client.categories.create({ name: "In use" });
    const created = await client.categories.create({ name: "Cats" });
    const read = await client.categories.get(created.id);
    const updated = await client.categories.update(
      created.id,
      { name: "Felines" },
      { ifMatch: etagOf(read) },
    );
    for (const late of [
      client.categories.update(created.id, { name: "Dogs" }, { ifMatch: etagOf(created) }),
      client.categories.delete(created.id, { ifMatch: etagOf(created) }),
    ])
      expect((await refusalOf(late)).status).toBe(412);
    await client.categories.delete(created.id, { ifMatch: etagOf(updated) });
    expect((await refusalOf(client.categories.get(created.id))).status).toBe(404);
  });

  test("W/, which a proxy that compresses adds, is dropped", async () => {
    const pet = await addPet();
    const proxied = createClient({
      key: await makeKey(server.store),
      baseUrl: server.production,
      fetch: async (address, init) => {
        const { body, status, headers } = await fetch(address, init);
        const tag = headers.get("ETag");
        return new Response(body, { status, headers: { ...(tag && { ETag: `W/${tag}` }) } });
      },
    });
    const seen = await only(proxied.pets.list({ ids: [pet.id] }));
    const updated = await proxied.pets.update(pet.id, { name: "Rex" }, { ifMatch: etagOf(seen) });
    expect(updated.name).toBe("Rex");
  });

  test("a resource whose tag is not known is refused, so that no change loses its condition", async () => {
    const pet = await addPet();
    const paged = await only(client.pets.list({ ids: [pet.id], limit: 1 }));
    const filtered = await only(client.pets.list({ ids: [pet.id], status: "available" }));
    for (const unknown of [{ ...pet }, paged, filtered])
      expect(() => etagOf(unknown)).toThrow(/^The ETag of this object is not known: /);
  });

  test("a malformed ifMatch is a TypeError, and nothing is sent", async () => {
    const pet = await addPet();
    for (const ifMatch of ["", "abc", '"a', '"a" "b"', '"a", "b"', '"a\n"']) {
      const change = client.pets.update(pet.id, { name: "changed" }, { ifMatch });
      await expect(change).rejects.toThrow(/^ifMatch must be /);
    }
    expect((await only(client.pets.list({ ids: [pet.id] }))).name).toBe("Fluffy");
  });
});
