import { expect, test } from "bun:test";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { callConsole, cookieOf } from "./call-console.ts";
import { onEachEngine } from "./test-app.ts";
import { useApp } from "./use-app.ts";

onEachEngine((store) => {
  const shop = useApp(store, { flags: { signUp: "open" } });

  test("an animal and a category with longer names than may be given now are shown, found and changed", async () => {
    const long = `Long ${"🐈".repeat(20_000)}`;
    const database = await openDatabase("production", shop.app.config);
    const run = (sql: string) => database.run({ sql, decode: noRows }, [long]);
    await run("INSERT INTO pet (name, category_id) VALUES ($1, 7)");
    await run("INSERT INTO category (id, name, description, created_at) VALUES (7, $1, $1, 0)");
    await database.close();
    const [pet] = (await shop.get("/pets?name=long")).json;
    expect(pet).toMatchObject({ name: long, categoryId: 7 });
    expect((await shop.get("/categories")).json).toMatchObject([{ name: long, description: long }]);
    const patchPet = (body: object) => shop.send(`PATCH /pets/${pet.id}`, { body });
    expect(await patchPet({ categoryId: 8 })).toMatchObject({
      status: 200,
      json: { name: long, categoryId: 8 },
    });
    expect((await patchPet({ name: "x".repeat(256) })).status).toBe(400);
    expect((await patchPet({ name: "Short" })).json).toMatchObject({ name: "Short" });
    const { status, json } = await shop.send("PATCH /categories/7", { body: { description: null } });
    expect([status, json.name, "description" in json]).toEqual([200, long, false]);
  });

  test("the console's list of messages shows excerpts of 255 characters, and a message by its identifier all of it", async () => {
    const { app, key } = shop;
    const [whole, long] = ["🐈".repeat(255), "🐈".repeat(256)];
    const ids: unknown[] = [];
    for (const message of [whole, long]) {
      const body = JSON.stringify({ message });
      ids.push((await app.ask("messages", "POST /messages", { key, body })).json.id);
      app.clock.set(1);
    }
    const account = { email: "ada@example.com", password: "three unrelated words" };
    const cookie = cookieOf(await callConsole(app, "POST /accounts", account));
    const listed: { message: string }[] = (await callConsole(app, "GET /messages", undefined, { cookie }))
      .json;
    expect(listed.map(({ message }) => message)).toEqual([`${"🐈".repeat(254)}…`, whole]);
    const one = await callConsole(app, `GET /messages/${ids[1]}`, undefined, { cookie });
    expect(one.json.message).toBe(long);
  });
});
