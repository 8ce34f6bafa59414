import { expect, test } from "bun:test";
import { callConsole, cookieOf } from "./call-console.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

onEachEngine((store) => {
  test("an API key goes on with what its account's console began to import, at the API's own addresses", async () => {
    const app = await createTestApp({}, { signUp: "open", ...(await store()) });
    const account = { email: "owner@example.com", password: "nine gentle otters" };
    const signedUp = await callConsole(app, "POST /accounts", account);
    const person = { cookie: cookieOf(signedUp) };
    const made = await callConsole(app, "POST /keys", { name: "import" }, person);
    const { token } = JSON.parse(await made.text());

    const headers = { "Idempotency-Key": "import-1" };
    const pet = { name: "Rex", categoryId: 1 };
    const sendWith = (key: string) =>
      app.send("production", "POST /v1/pets", { key, headers, body: JSON.stringify(pet) });
    const first = await callConsole(app, "POST /pets", pet, { ...person, headers });
    const again = await sendWith(token);
    expect([first.status, again.status, again.headers.get("Idempotent-Replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get("Location")).toEndWith("/v1/pets/1");
    const { token: others } = await app.makeKey();
    const other = await sendWith(others);
    expect(other.headers.get("Idempotent-Replayed")).toBeNull();
    await app.close();
  });
});
