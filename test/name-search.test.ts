import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";

interface Animal {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

onEachEngine((store) => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await createTestApp({}, await store());
    key = (await app.makeKey()).token;
  });
  afterAll(() => app.close());

  async function send(request: string, body?: object) {
    const response = await app.send("production", request, {
      key,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, link: response.headers.get("Link"), body: text && JSON.parse(text) };
  }
  const nextOf = (link: string | null) => /pets\?([^>]+)>; rel="next"/.exec(link ?? "")?.[1];

  /** Every page of a list, and each of its queries. */
  async function readAll(query: string) {
    const animals: Animal[] = [];
    const queries: string[] = [];
    for (let next: string | undefined = query; next !== undefined; ) {
      queries.push(next);
      const { status, body, link } = await send(`GET /v1/pets?${next}`);
      expect(status).toBe(200);
      animals.push(...body);
      next = nextOf(link);
    }
    return { animals, queries };
  }

  test.each(["", "%F0%9F%90%B6", "---", Array.from({ length: 101 }, (_, index) => index).join("+")])(
    "400 for a text without a word, or of more than 100: %s",
    async (text) => {
      const { status, body } = await send(`GET /v1/pets?name=${text}`);
      expect([status, body.code]).toEqual([400, "invalid_parameter"]);
    },
  );

  test("names are found by the beginnings of their words, with every other filter", async () => {
    const names = ["Mr. Fluffy", "fluffy two", "ＦＬＵＦＦＹ", "Flúffy", "Luffy", "Rex"];
    for (const [index, name] of names.entries())
      await send("POST /v1/pets", { name, categoryId: index % 2, status: "available" });
    const idsOf = async (query: string) => (await readAll(query)).animals.map(({ id }) => id);
    expect(await idsOf("name=flu")).toEqual([4, 3, 2, 1]);
    expect(await idsOf("name=TWO+fl%C3%BC&limit=1")).toEqual([2]);
    expect(await idsOf("name=flu&categoryId=1")).toEqual([4, 2]);
    expect(await idsOf("name=flu&status=sold")).toEqual([]);
    expect(await idsOf("name=flu&id=1,2,5")).toEqual([2, 1]);
    expect(await idsOf("name=uffy")).toEqual([]);
    await send("PATCH /v1/pets/6", { name: "Fluff" });
    await send("PATCH /v1/pets/4", { name: "Tom" });
    await send("DELETE /v1/pets/1");
    expect(await idsOf("name=fluf&limit=1")).toEqual([6, 3, 2]);
  });

  test("the next page repeats the name, and its cursor goes with no other", async () => {
    const { link } = await send("GET /v1/pets?name=flu&limit=1");
    const next = nextOf(link) ?? "";
    expect(next).toMatch(/^name=flu&limit=1&cursor=/);
    for (const query of [next.replace("flu", "fluf"), next.replace("name=flu&", ""), `${next}&status=sold`]) {
      const { status, body } = await send(`GET /v1/pets?${query}`);
      expect([status, body.code]).toEqual([400, "invalid_cursor"]);
    }
    expect((await send(`GET /v1/pets?${next.replace("flu", "FL%C3%9C")}`)).status).toBe(200);
  });
});

onEachEngine((store) => {
  test("a page of long names ends before 1 MiB, and the next one goes on there", async () => {
    const app = await createTestApp({}, await store());
    const { token: key } = await app.makeKey();
    const name = `Long ${'"'.repeat(30_000)}`;
    for (let count = 0; count < 40; count++)
      await app.send("production", "POST /v1/pets", { key, body: JSON.stringify({ name, categoryId: 1 }) });
    const sizes: number[] = [];
    const ids: number[] = [];
    for (let query: string | undefined = "name=long&limit=100"; query !== undefined; ) {
      const response = await app.send("production", `GET /v1/pets?${query}`, { key });
      const text = await response.text();
      sizes.push(text.length);
      ids.push(...JSON.parse(text).map(({ id }: Animal) => id));
      query = /\?([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    }
    await app.close();
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.filter((size) => size > 1024 * 1024)).toEqual([]);
    expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index));
  });
});

onEachEngine((store) => {
  test.each([
    ["long ones", 60, "é ".repeat(20_000)],
    ["ones whose characters stand for many", 12, `${"ﷺ".repeat(20_000)} `],
  ])("a request looks at 2 MiB of names at most, also of %s in one statement", async (_, count, text) => {
    const app = await createTestApp({}, await store());
    const { token: key } = await app.makeKey();
    for (let number = 1; number <= count; number++)
      await app.send("production", "POST /v1/pets", {
        key,
        body: JSON.stringify({ name: `${text}n${number}`, categoryId: 1 }),
      });
    const search = async (query: string) => {
      const response = await app.send("production", `GET /v1/pets?${query}`, { key });
      const ids = JSON.parse(await response.text()).map(({ id }: Animal) => id);
      return { ids, next: /\?([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1] };
    };
    const first = await search("name=n1&limit=1&id=1,2");
    expect(first).toEqual({ ids: [1], next: undefined });
    const ended = await search("name=none&limit=100");
    expect(ended).toEqual({ ids: [], next: expect.any(String) });
    const found: number[] = [];
    for (let query: string | undefined = "name=n1&limit=100"; query !== undefined; ) {
      const { ids, next } = await search(query);
      found.push(...ids);
      query = next;
    }
    await app.close();
    const numbers = Array.from({ length: count }, (_, index) => count - index);
    expect(found).toEqual(numbers.filter((number) => `${number}`.startsWith("1")));
  });
});
