import { expect, test } from "bun:test";
import { callConsole, cookieOf } from "./call-console.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

onEachEngine((store) => {
  test("an API key can continue an import that its account's console began", async () => {
    const app = await createTestApp({}, { signUp: "open", ...(await store()) });
    const account = { email: "owner@example.com", password: "nine gentle otters" };
    const signedUp = await callConsole(app, "POST /accounts", account);
    const person = { cookie: cookieOf(signedUp) };
    const { token } = (await callConsole(app, "POST /keys", { name: "import" }, person)).json;

    const headers = { "Idempotency-Key": "import-1" };
    const pet = { name: "Rex", categoryId: 1 };
    const sendWith = (key: string) =>
      app.ask("production", "POST /v1/pets", { key, headers, body: JSON.stringify(pet) });
    const first = await callConsole(app, "POST /pets", pet, { ...person, headers });
    const again = await sendWith(token);
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toBe(first.body);
    expect(again.headers.get("Location")).toEndWith("/v1/pets/1");
    const { token: others } = await app.makeKey();
    const other = await sendWith(others);
    expect(other.headers.get("Idempotent-Replayed")).toBeNull();
    await app.close();
  });
});
