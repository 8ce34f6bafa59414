import { expect, test } from "bun:test";
import { createTestApp, onEachEngine } from "./test-app.ts";

onEachEngine((store) => {
  test("an API key goes on with what its account's console began to import, at the API's own addresses", async () => {
    const app = await createTestApp({}, await store());
    const connection = { peer: () => "127.0.0.1", cutOff() {} };
    const send = async (path: string, body: object, headers: Record<string, string>) => {
      const all = { "Content-Type": "application/json", ...headers };
      const request = new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        headers: all,
        body: JSON.stringify(body),
      });
      const response = await app.services.production?.fetch(request, connection);
      if (response === undefined) throw new Error("There is no production service.");
      return response;
    };
    const person = { Host: "127.0.0.1", Origin: "http://127.0.0.1" };
    const account = { email: "owner@example.com", password: "nine gentle otters" };
    const signedUp = await send("/console/api/accounts", account, person);
    const Cookie = signedUp.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const made = await send("/console/api/keys", { name: "import" }, { ...person, Cookie });
    const { token } = JSON.parse(await made.text());

    const retried = { "Idempotency-Key": "import-1" };
    const pet = { name: "Rex", categoryId: 1 };
    const first = await send("/console/api/pets", pet, { ...person, ...retried, Cookie });
    const again = await send("/v1/pets", pet, {
      ...retried,
      Authorization: `Bearer ${token}`,
      Host: "127.0.0.1",
    });
    expect([first.status, again.status, again.headers.get("Idempotent-Replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get("Location")).toEndWith("/v1/pets/1");
    const { token: others } = await app.makeKey();
    const other = await send("/v1/pets", pet, {
      ...retried,
      Authorization: `Bearer ${others}`,
      Host: "127.0.0.1",
    });
    expect(other.headers.get("Idempotent-Replayed")).toBeNull();
    await app.close();
  });
});
