import { expect, test } from "bun:test";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { callConsole, cookieOf } from "./call-console.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

type Answer = Readonly<
  Partial<Record<"id" | "name" | "description" | "message" | "categoryId", string | number>>
>;

onEachEngine((store) => {
  test("an animal and a category with longer names than may be given now are shown, found and changed", async () => {
    const app = await createTestApp({}, await store());
    try {
      const { token: key } = await app.makeKey();
      const long = `Long ${"🐈".repeat(20_000)}`;
      const database = await openDatabase("production", app.config);
      await database.run({ sql: "INSERT INTO pet (name, category_id) VALUES ($1, 7)", decode: noRows }, [
        long,
      ]);
      await database.run(
        {
          sql: "INSERT INTO category (id, name, description, created_at) VALUES (7, $1, $1, 0)",
          decode: noRows,
        },
        [long],
      );
      await database.close();
      const ask = async (request: string, body?: object): Promise<readonly [number, Answer]> => {
        const sent = body === undefined ? { key } : { key, body: JSON.stringify(body) };
        const response = await app.send("production", request, sent);
        return [response.status, (await response.json()) as Answer];
      };
      const [, found] = await ask("GET /v1/pets?name=long");
      const [pet] = found as unknown as readonly Answer[];
      expect(pet).toMatchObject({ name: long, categoryId: 7 });
      expect((await ask("GET /v1/categories"))[1]).toMatchObject([{ name: long, description: long }]);
      expect(await ask(`PATCH /v1/pets/${pet?.id}`, { categoryId: 8 })).toMatchObject([
        200,
        { name: long, categoryId: 8 },
      ]);
      expect((await ask(`PATCH /v1/pets/${pet?.id}`, { name: "x".repeat(256) }))[0]).toBe(400);
      expect((await ask(`PATCH /v1/pets/${pet?.id}`, { name: "Short" }))[1]).toMatchObject({ name: "Short" });
      const [status, category] = await ask("PATCH /v1/categories/7", { description: null });
      expect([status, category.name, "description" in category]).toEqual([200, long, false]);
    } finally {
      await app.close();
    }
  });

  test("the console's list of messages shows excerpts of 255 characters, and a message by its identifier all of it", async () => {
    const app = await createTestApp({}, { ...(await store()), signUp: "open" });
    try {
      const { token: key } = await app.makeKey();
      const [whole, long] = ["🐈".repeat(255), "🐈".repeat(256)];
      const ids: unknown[] = [];
      for (const message of [whole, long]) {
        const response = await app.send("messages", "POST /messages", {
          key,
          body: JSON.stringify({ message }),
        });
        ids.push(((await response.json()) as Answer).id);
        app.clock.set(1);
      }
      const account = { email: "ada@example.com", password: "three unrelated words" };
      const cookie = cookieOf(await callConsole(app, "POST /accounts", account));
      const listed = await callConsole(app, "GET /messages", undefined, { cookie });
      const messages = (await listed.json()) as readonly Answer[];
      expect(messages.map(({ message }) => message)).toEqual([`${"🐈".repeat(254)}…`, whole]);
      const one = await callConsole(app, `GET /messages/${ids[1]}`, undefined, { cookie });
      expect(((await one.json()) as Answer).message).toBe(long);
    } finally {
      await app.close();
    }
  });
});
