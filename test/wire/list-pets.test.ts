import { beforeAll, expect, test } from "bun:test";
import { onBothEngines } from "./server.ts";

// Tests what `GET /pets` offers in addition to the original interface: pages by cursor, and filters by category and by identifiers.

onBothEngines(({ useStore }) => {
  const store = useStore();
  beforeAll(async () => {
    for (let number = 1; number <= 120; number++) {
      const status = ["available", "pending", "sold"][number % 3];
      await store.post("/pets", `{"name":"p${number}","categoryId":${number % 2},"status":"${status}"}`);
    }
  });

  async function list(target: string) {
    const path = target.replace(/^http.*\/v1\/pets/, "");
    const { status, headers, json } = await store.get(`/pets${path}`);
    const link = headers.get("Link");
    const pets: { id: number; code: string }[] = status === 200 ? json : [];
    const code = status === 200 ? undefined : json.code;
    return {
      status,
      code,
      link,
      next: /<([^>]+)>/.exec(link ?? "")?.[1] ?? "",
      ids: pets.map(({ id }) => id),
    };
  }
  const idsOf = async (query: string) => (await list(query)).ids;
  const cursorOf = async (query: string) => new URL((await list(query)).next).searchParams.get("cursor");
  const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

  test("while more items remain, Link has the next page's address, with the filters; the last page has no Link", async () => {
    const address = /^<http:\/\/localhost:\d+\/v1\/pets\?limit=7&status=sold&cursor=[\w-]+>; rel="next"$/;
    expect((await list("?limit=7&status=sold")).link).toMatch(address);
    for (const limit of [100, 41, 40]) {
      const { ids, link } = await list(`?limit=${limit}&status=sold`);
      expect([ids.length, link]).toEqual([40, null]);
    }
    expect((await list("?limit=39&status=sold")).link).not.toBeNull();
  });

  test("a parameter's name may be percent-encoded, and the next page keeps its filter", async () => {
    const second = await list(`?l%69mit=50&c%75rsor=${await cursorOf("?limit=50")}`);
    expect([second.ids[0], (await idsOf(second.next))[0]]).toEqual([70, 20]);
  });

  test("the list filters by category, by identifiers, and by both", async () => {
    for (const [query, ids] of [
      ["categoryId=1&limit=3", [119, 117, 115]],
      ["id=3,1,2,9999", [3, 2, 1]],
      ["id=3,1,2&categoryId=1", [3, 1]],
      ["categoryId=1&status=sold&limit=2", [119, 113]],
      ["categoryId=9223372036854775807", []],
    ] as const)
      expect([query, await idsOf(`?${query}`)]).toEqual([query, [...ids]]);
  });

  test("identifiers may be repeated, and all that are given come on one page", async () => {
    expect(await idsOf("?id=1&id=2")).toEqual([2, 1]);
    expect(await idsOf("?id=1,2&categoryId=1&i%64=3")).toEqual([3, 1]);
    const given = down(100, 100);
    for (const query of [`id=${given}`, given.map((id) => `id=${id}`).join("&"), `limit=100&id=${given}`])
      expect(await idsOf(`?${query}`)).toEqual(given);
    const first = await list("?id=3&id=2&id=1&limit=2");
    expect([first.ids, await idsOf(first.next)]).toEqual([[3, 2], [1]]);
  });

  test("a parameter without a name is ignored", async () => {
    for (const query of ["?limit=5&", "?&limit=5", "?limit=5&&status=sold", "?&", "?", "?=", "?=7&limit=5"])
      expect([query, (await idsOf(query)).length]).toEqual([query, query.includes("limit") ? 5 : 20]);
  });

  test("400 invalid_cursor for a made-up cursor, and for one of another query", async () => {
    const cursor = await cursorOf("?limit=7&status=sold");
    for (const own of [`status=sold&cursor=${cursor}`, `limit=50&status=sold&cursor=${cursor}`])
      expect((await list(`?${own}`)).status).toBe(200);
    const made = ["x", "AAAAAAAAACg", "AAAAAAAAAAAAAAAAAAAAAA"].map((text) => `cursor=${text}`);
    for (const query of [...made, `status=pending&cursor=${cursor}`]) {
      const { status, code } = await list(`?${query}`);
      expect([query, status, code]).toEqual([query, 400, "invalid_cursor"]);
    }
  });

  test("every answer of getPet has Deprecation, Sunset and the successor", async () => {
    const { origin } = new URL(store.production);
    for (const [path, status, code, options] of [
      ["/pets/1", 200, undefined, {}],
      ["/pets/999", 404, "not_found", {}],
      ["/pets/abc", 404, "not_found", {}],
      ["/pets/1?x=1", 400, "invalid_parameter", {}],
      ["/pets/1", 401, "unauthorized", { key: "x" }],
    ] as const) {
      const { headers, ...reply } = await store.send(`GET ${path}`, options);
      const description = code
        ? `<${origin}/docs/errors#${code}>; rel="describedby"; type="text/html", `
        : "";
      const ends = ["deprecation", "sunset"].map(
        (rel) => `<${origin}/docs/deprecations#getPet>; rel="${rel}"; type="text/html", `,
      );
      const successor = `<${store.production}/pets>; rel="successor-version"`;
      expect([reply.status, headers.get("Link")]).toEqual([status, description + ends.join("") + successor]);
      expect([headers.get("Deprecation"), headers.get("Sunset")]).toEqual([
        ...["@1767225600", "Thu, 05 Dec 2030 00:00:00 GMT"],
      ]);
    }
  });

  test("hasStatus finds animals without a status, or with one, together with any other filter", async () => {
    const added: number[] = [];
    for (const status of [undefined, "sold", undefined, "available", "pending"] as const)
      added.push(await store.pet({ name: "Quux", categoryId: 7, status }));
    const [first = 0, second = 0, third = 0] = added;
    const rest = [...added.slice(3).reverse(), second];
    for (const [query, ids] of [
      ["hasStatus=false", [third, first]],
      ["hasStatus=false&categoryId=1", []],
      ["hasStatus=false&categoryId=7&name=quux", [third, first]],
      [`hasStatus=false&id=${added}`, [third, first]],
      ["hasStatus=false&status=sold", []],
      ["hasStatus=true&categoryId=7", rest],
      ["hasStatus=true&name=quux", rest],
      [`hasStatus=true&id=${added}`, rest],
      ["hasStatus=true&status=sold&limit=2", [second, 119]],
      ["hasStatus=true&limit=4", [...rest, 120]],
    ] as const)
      expect([query, await idsOf(`?${query}`)]).toEqual([query, [...ids]]);
    const page = await list("?hasStatus=true&limit=2");
    expect([page.ids, await idsOf(page.next)]).toEqual([rest.slice(0, 2), [second, 120]]);
    const last = await list("?hasStatus=false&limit=1");
    expect([last.ids, (await list(last.next)).ids]).toEqual([[third], [first]]);
    const cursor = new URL(page.next).searchParams.get("cursor");
    expect((await list(`?hasStatus=false&cursor=${cursor}`)).code).toBe("invalid_cursor");
  });
});
