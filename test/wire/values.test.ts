import { describe, expect, test } from "bun:test";
import { onBothEngines } from "./server.ts";

// The API returns values exactly as they were sent: integers with every digit, and text with every character.

onBothEngines(({ useStore }) => {
  const store = useStore();
  const create = (categoryId: string) => store.post("/pets", `{"name":"x","categoryId":${categoryId}}`);
  const order = async (members: string) => {
    const pet = await store.post("/pets", '{"name":"x","categoryId":1,"status":"available"}');
    return store.post("/store/orders", `{"petId":${pet.json.id},${members}}`);
  };

  describe("int64", () => {
    test.each([
      ["9007199254740993", "9007199254740993"],
      ["-9007199254740993", "-9007199254740993"],
      ["9223372036854775807", "9223372036854775807"],
      ["-9223372036854775808", "-9223372036854775808"],
      ["9007199254740992", "9007199254740992"],
      ["0", "0"],
      ["-0", "0"],
      ["-1", "-1"],
      ["1.0", "1"],
      ["1e3", "1000"],
      ["1E+3", "1000"],
      ["1500e-2", "15"],
      ["9007199254740993.0", "9007199254740993"],
      ["9.223372036854775807e18", "9223372036854775807"],
      ["-92233720368547758080e-1", "-9223372036854775808"],
      ["0e99999", "0"],
    ])("%s is stored as %s: in the answer, in the list, as a filter", async (sent, kept) => {
      const created = await create(sent);
      expect(created.status).toBe(201);
      expect(created.body).toMatch(new RegExp(`^\\{"id":\\d+,"name":"x","categoryId":${kept}\\}$`));
      const listed = await store.get(`/pets?limit=1&categoryId=${kept}`);
      expect(listed.body).toBe(`[${created.body}]`);
    });

    test("1.000… with 60,000 zeros is read as 1, without a delay", async () => {
      expect((await create(`1.${"0".repeat(60_000)}`)).json.categoryId).toBe(1);
    });

    test("an order's quantity is 1, however it is written", async () => {
      expect((await order('"quantity":1.0')).body).toContain('"quantity":1,');
    });
  });

  describe("text", () => {
    test.each([
      ["the empty string", ""],
      ["spaces at both ends", "  x  "],
      ["markup", `<img src=x onerror="alert('x')">`],
      ["emoji and right-to-left text", "🐈 שלום العربية 👩‍👩‍👧"],
      ["the last character of Unicode", "\u{10FFFF}"],
      ["U+FFFE, U+FFFF and a byte order mark", "\uFFFE\uFFFF\uFEFF"],
      ["two byte order marks and a letter", "\uFEFF\uFEFFx"],
      ["control characters", "\u0001\u001f\u007f\u0085\n\r\t"],
      ["two spellings of one letter", "\u00e9 e\u0301"],
      ["quotes and backslashes", `\\"'\`;--`],
      ["255 characters, each of four bytes", "🐈".repeat(255)],
    ])("%s is stored as sent, and its animal can be changed and ordered", async (_what, text) => {
      const created = await store.post("/pets", JSON.stringify({ name: text, categoryId: 1 }));
      expect(created).toMatchObject({ status: 201, json: { name: text } });
      expect((await store.get("/pets?limit=1")).body).toBe(`[${created.body}]`);
      const { id } = created.json;
      const changed = await store.send(`PATCH /pets/${id}`, { body: '{"status":"available"}' });
      expect(changed).toMatchObject({ status: 200, json: { name: text, status: "available" } });
      expect((await store.post("/store/orders", `{"petId":${id}}`)).status).toBe(201);
    });

    test.each([
      ["/pets", '"categoryId":1', { name: 255 }],
      ["/categories", '"id":null', { name: 255, description: 1_000 }],
    ])(
      "%s refuses a longer one than its limit, in characters, and names member and limit",
      async (path, rest, limits) => {
        const members = Object.entries(limits);
        const bodyOf = (extra: number) => {
          const texts = members.map(([name, max]) => `"${name}":"${"🐈".repeat(max + extra)}"`);
          return `{${[...texts, ...(rest.includes("null") ? [] : [rest])].join()}}`;
        };
        const created = await store.post(path, bodyOf(0));
        expect(created.status).toBe(201);
        const problems = members.map(([name, max]) => `${name} must have at most ${max} characters`);
        const { id } = created.json;
        for (const refused of [
          await store.post(path, bodyOf(1)),
          await store.send(`PATCH ${path}/${id}`, { body: bodyOf(1) }),
        ])
          expect([refused.status, refused.json.message]).toEqual([400, `${problems.join("; ")}.`]);
      },
    );

    test("a byte order mark before the body is ignored (RFC 8259 §8.1)", async () => {
      expect((await store.post("/pets", '\uFEFF{"name":"x","categoryId":1}')).status).toBe(201);
    });
  });

  test.each([
    ["2026-01-01T12:00:00Z", "2026-01-01T12:00:00.000Z"],
    ["2026-01-01T12:00:00.5+02:00", "2026-01-01T10:00:00.500Z"],
    ["2024-02-29T23:59:59.999-00:00", "2024-02-29T23:59:59.999Z"],
  ])("the time %s is stored as %s", async (sent, kept) => {
    expect((await order(`"shipDate":"${sent}"`)).json.shipDate).toBe(kept);
  });
});
