import { describe, expect, test } from "bun:test";
import { type Client, createClient, type List, type Pet } from "../../client/src/client.ts";
import { answer, clientOf, failureOf, refusal, stopAfterEach } from "./flawed-server.ts";

// Tests how the client reads lists: the first page, further pages, iteration, and the size of each request. visit.ts reads lists of
// a real service.

stopAfterEach();

/** Creates a client for a test server whose lists have `count` items, and records the decoded query of each request. */
function clientOfItems(count: number): { client: Client; queries: string[] } {
  const queries: string[] = [];
  const fetch = async (address: string) => {
    const { pathname, search, searchParams } = new URL(address);
    queries.push(decodeURIComponent(search));
    const first = Number(searchParams.get("cursor") ?? 0);
    const last = first + Number(searchParams.get("limit") ?? 20);
    const items = Array.from({ length: Math.min(last, count) - first }, (_, index) => ({
      id: first + index,
    }));
    searchParams.set("cursor", String(last));
    const headers = { Link: `<${pathname}?${searchParams}>; rel="next"` };
    return Response.json(items, last < count ? { headers } : {});
  };
  return { client: createClient({ key: "pet_live_x", fetch }), queries };
}

const idsOf = (items: readonly { readonly id: Pet["id"] }[]) => items.map(({ id }) => Number(id));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("an iteration", () => {
  test("requests pages of 100, the service's maximum, unless limit is given", async () => {
    const { client, queries } = clientOfItems(150);
    const { pets, categories, orders, events, webhooks } = client;
    const lists: readonly List<{ readonly id: Pet["id"] }>[] = [
      pets.list({ limit: undefined }),
      categories.list(),
      orders.list({ complete: false }),
      events.list({ order: "asc" }),
      webhooks.list(),
      webhooks.deliveries(7),
    ];
    for (const list of lists) expect(idsOf(await Array.fromAsync(list))).toEqual(upTo(150));
    const pages = await Array.fromAsync(pets.list({ status: "sold" }).pages());
    expect(pages.map(({ length }) => length)).toEqual([100, 50]);
    expect(queries.filter((query) => !query.includes("cursor"))).toEqual([
      "?limit=100",
      "?limit=100",
      "?complete=false&limit=100",
      "?order=asc&limit=100",
      "?limit=100",
      "?limit=100",
      "?status=sold&limit=100",
    ]);
    expect(queries).toHaveLength(2 * 7);
    queries.splice(0);
    await Array.fromAsync(pets.list({ limit: 50 }));
    expect(queries).toEqual(["?limit=50", "?limit=50&cursor=50", "?limit=50&cursor=100"]);
  });

  test("of identifiers has no limit: it is one page, whose ETag etagOf knows", async () => {
    const { client, queries } = clientOfItems(1);
    await Array.fromAsync(client.pets.list({ ids: [1] }));
    await client.pets.list({ ids: [1, 2] }).toArray({ limit: 1 });
    expect(queries).toEqual(["?id=1", "?id=1,2"]);
  });

  test("with an unknown filter passes the filter on to the service, instead of requesting everything", async () => {
    const { client, queries } = clientOfItems(1);
    for (const filter of [{ id: [3, 4] }, { tag: "x" }]) await client.pets.list({ limit: 5, ...filter });
    expect(queries).toEqual(["?id=3,4&limit=5", "?limit=5&tag=x"]);
  });

  test("with a filter that is null is refused, before a request", async () => {
    const { client, queries } = clientOfItems(1);
    await expect(Array.fromAsync(client.pets.list({ name: null as never }))).rejects.toThrow(
      "name must not be null. Leave out name instead.",
    );
    expect(queries).toEqual([]);
  });

  test("of a next page that is the same page fails", async () => {
    const again = answer(200, [{ id: 1 }], { Link: '</v1/pets?cursor=2>; rel="next"' });
    const { client, seen } = await clientOf([again]);
    await failureOf(Array.fromAsync(client.pets.list()));
    expect(seen).toHaveLength(2);
  });

  test("of no identifiers is empty, without a request", async () => {
    const { client, queries } = clientOfItems(1);
    expect(await Array.fromAsync(client.pets.list({ ids: [] }))).toEqual([]);
    expect([...(await client.events.list({ types: [] }))]).toEqual([]);
    expect(queries).toEqual([]);
  });
});

describe("toArray", () => {
  test.each([
    [1, {}, ["?limit=1"]],
    [5, {}, ["?limit=5"]],
    [250, {}, ["?limit=100", "?limit=100&cursor=100", "?limit=50&cursor=200"]],
    [5, { limit: 20 }, ["?limit=5"]],
    [30, { limit: 20 }, ["?limit=20", "?limit=10&cursor=20"]],
    [200, {}, ["?limit=100", "?limit=100&cursor=100"]],
  ])("requests only the %i items that it needs, in pages of %o", async (limit, paging, requested) => {
    const { client, queries } = clientOfItems(1000);
    expect(idsOf(await client.pets.list(paging).toArray({ limit }))).toEqual(upTo(limit));
    expect(queries).toEqual(requested);
  });

  test("has all items for Infinity, and never more than limit", async () => {
    const { client } = clientOfItems(110);
    const all = await client.categories.list().toArray({ limit: Number.POSITIVE_INFINITY });
    expect(idsOf(all)).toEqual(upTo(110));
    const { client: generous } = await clientOf([answer(200, [{ id: 0 }, { id: 1 }, { id: 2 }])]);
    expect(idsOf(await generous.pets.list().toArray({ limit: 2 }))).toEqual([0, 1]);
  });

  test("refuses an invalid limit before any request", async () => {
    const { client, queries } = clientOfItems(1);
    for (const limit of [0, -1, 1.5, Number.NaN, "5", undefined])
      await expect(client.pets.list().toArray({ limit } as { limit: number })).rejects.toThrow(TypeError);
    const list = client.pets.list();
    await expect(Reflect.apply(list.toArray, list, [])).rejects.toThrow("The limit of toArray must be");
    expect(queries).toEqual([]);
  });
});

describe("an awaited list", () => {
  test("is its first page of the contract's size, an array with next() until the end", async () => {
    const { client, queries } = clientOfItems(45);
    const first = await client.pets.list();
    expect(Array.isArray(first)).toBe(true);
    expect(idsOf([...first])).toEqual(upTo(20));
    const second = await first.next();
    expect(idsOf(second ?? [])).toEqual(upTo(40).slice(20));
    expect(await (await second?.next())?.next()).toBeUndefined();
    expect(queries).toEqual(["", "?cursor=20", "?cursor=40"]);
    expect(await client.pets.list({ limit: 2 })).toHaveLength(2);
  });

  test("is continued by for await to the end of the list, and shows its items only", async () => {
    const { client } = clientOfItems(45);
    const page = await client.pets.list();
    expect(idsOf(await Array.fromAsync(page))).toEqual(upTo(45));
    expect(Object.keys(page)).toEqual(Object.keys(upTo(20)));
    expect(JSON.stringify(page.slice(0, 1))).toBe('[{"id":0}]');
  });

  test("is still iterated from its beginning, and is not requested before it is awaited", async () => {
    const { client, queries } = clientOfItems(3);
    const list = client.pets.list();
    expect(queries).toEqual([]);
    expect(await list).toHaveLength(3);
    expect(await Array.fromAsync(list)).toHaveLength(3);
  });

  test("rejects as a call does: for a refusal, and for an argument", async () => {
    const { client } = await clientOf([refusal(401, "unauthorized")]);
    const awaited = async () => await client.pets.list();
    expect(await failureOf(awaited())).toMatchObject({ code: "unauthorized" });
    await expect((async () => await client.pets.list({ categoryId: 0.5 }))()).rejects.toThrow(TypeError);
  });

  test("of events from the oldest on ends before the empty page, although each page has a next one", async () => {
    const { client } = await clientOf((_, count) =>
      answer(200, count === 1 ? [{ id: 1 }] : [], { Link: `</v1/events?cursor=${count}>; rel="next"` }),
    );
    const page = await client.events.list({ order: "asc" });
    expect(page).toHaveLength(1);
    expect(await page.next()).toBeUndefined();
    expect(await (await client.events.list({ order: "asc" })).next()).toBeUndefined();
  });
});
