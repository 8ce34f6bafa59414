import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ startServer }) => {
  // Values come back as they were sent: integers digit for digit, text character for character.

  let server: Server;
  let key: string;

  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  async function create(categoryId: string) {
    return send("POST", `${server.production}/pets`, {
      key,
      body: `{"name":"x","categoryId":${categoryId}}`,
    });
  }

  describe("int64", () => {
    const exact: [sent: string, kept: string][] = [
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
    ];
    for (const [sent, kept] of exact) {
      test(`${sent} is stored as ${kept}: in the answer, in the list, as a filter`, async () => {
        const created = await create(sent);
        expect(created.status).toBe(201);
        expect(created.body).toMatch(new RegExp(`^\\{"id":\\d+,"name":"x","categoryId":${kept}\\}$`));
        const listed = await send("GET", `${server.production}/pets?limit=1&categoryId=${kept}`, { key });
        expect(listed.body).toBe(`[${created.body}]`);
      });
    }

    test("1.000… with 60,000 zeros is 1, without a delay", async () => {
      const reply = await create(`1.${"0".repeat(60_000)}`);
      expect(JSON.parse(reply.body).categoryId).toBe(1);
    });

    test("an order's quantity is 1, however it is written", async () => {
      const pet = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"x","categoryId":1,"status":"available"}',
      });
      const { id } = JSON.parse(pet.body);
      const order = (quantity: string) =>
        send("POST", `${server.production}/store/orders`, {
          key,
          body: `{"petId":${id},"quantity":${quantity}}`,
        });
      expect((await order("1.0")).body).toContain('"quantity":1,');
    });
  });

  describe("text", () => {
    const texts: [what: string, text: string][] = [
      ["the empty string", ""],
      ["spaces at both ends", "  x  "],
      ["markup", `<img src=x onerror="alert('x')">`],
      ["emoji and right-to-left text", "🐈 שלום العربية 👩‍👩‍👧"],
      ["the last character of Unicode", "\u{10FFFF}"],
      ["U+FFFE, U+FFFF and a byte order mark", "\uFFFE\uFFFF\uFEFF"],
      ["control characters", "\u0001\u001f\u007f\u0085\n\r\t"],
      ["two spellings of one letter", "é é"],
      ["quotes and backslashes", `\\"'\`;--`],
      ["40,000 characters", "ß".repeat(20_000)],
    ];
    for (const [what, text] of texts) {
      test(`${what} is stored as sent`, async () => {
        const body = JSON.stringify({ name: text, categoryId: 1 });
        const created = await send("POST", `${server.production}/pets`, { key, body });
        expect(created.status).toBe(201);
        expect(JSON.parse(created.body).name).toBe(text);
        const read = await send("GET", created.headers.get("Location") ?? "", { key });
        expect(JSON.parse(read.body).name).toBe(text);
      });
    }

    test("a byte order mark before the body is ignored (RFC 8259 §8.1)", async () => {
      const reply = await send("POST", `${server.production}/pets`, {
        key,
        body: '\uFEFF{"name":"x","categoryId":1}',
      });
      expect(reply.status).toBe(201);
    });
  });

  describe("times", () => {
    const times: [sent: string, kept: string][] = [
      ["2026-01-01T12:00:00Z", "2026-01-01T12:00:00.000Z"],
      ["2026-01-01T12:00:00.5+02:00", "2026-01-01T10:00:00.500Z"],
      ["2024-02-29T23:59:59.999-00:00", "2024-02-29T23:59:59.999Z"],
    ];
    for (const [sent, kept] of times) {
      test(`${sent} is stored as ${kept}`, async () => {
        const pet = await send("POST", `${server.production}/pets`, {
          key,
          body: '{"name":"x","categoryId":1,"status":"available"}',
        });
        const body = `{"petId":${JSON.parse(pet.body).id},"shipDate":"${sent}"}`;
        const order = await send("POST", `${server.production}/store/orders`, { key, body });
        expect(JSON.parse(order.body).shipDate).toBe(kept);
      });
    }
  });
});
