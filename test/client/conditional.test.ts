import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, etagOf } from "../../client/src/client.ts";
import { makeKey, useStore } from "../wire/server.ts";
import { failureOf } from "./flawed-server.ts";

// With `ifMatch`, a change fails if the resource has changed in the meantime. `etagOf` returns the ETag of a resource from the
// response of a call.

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

  test("know the tag of an animal that was created, read, updated or listed by itself", async () => {
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
      expect(await failureOf(second)).toMatchObject({
        code: "precondition_failed",
        status: 412,
        outcomeUnknown: false,
      });
    }
    expect(await only(client.pets.list({ ids: [pet.id] }))).toMatchObject({ name: "first" });
  });

  test("work for every kind of resource", async () => {
    const { orders, categories, pets } = client;
    const pet = await addPet();
    const order = await orders.place({ petId: pet.id });
    const category = await categories.create({ name: "Cats" });
    expect(etagOf(await orders.get(order.id))).toBe(etagOf(order));
    expect(etagOf(await categories.get(category.id))).toBe(etagOf(category));
    for (const change of [
      (ifMatch: string) => orders.complete(order.id, { ifMatch }),
      (ifMatch: string) => orders.cancel(order.id, { ifMatch }),
      (ifMatch: string) => categories.update(category.id, { name: "Dogs" }, { ifMatch }),
      (ifMatch: string) => categories.delete(category.id, { ifMatch }),
      (ifMatch: string) => pets.delete(pet.id, { ifMatch }),
    ])
      expect(await failureOf(change('"other"'))).toMatchObject({ status: 412 });
    const completed = await orders.complete(order.id, { ifMatch: "*" });
    expect(etagOf(completed)).toBe(etagOf(await orders.get(order.id)));
  });

  test("remove the W/ that a compressing proxy adds", async () => {
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

  test("refuse a resource without a known tag, so that no change loses its condition", async () => {
    const pet = await addPet();
    const paged = await only(client.pets.list({ ids: [pet.id], limit: 1 }));
    const filtered = await only(client.pets.list({ ids: [pet.id], status: "available" }));
    for (const unknown of [{ ...pet }, paged, filtered])
      expect(() => etagOf(unknown)).toThrow(/^This object has no known ETag\. /);
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
