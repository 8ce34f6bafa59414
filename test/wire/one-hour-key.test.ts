import { expect, test } from "bun:test";
import { BEHIND_PROXY, openBrowserSession, signUp } from "./browser-session.ts";
import { send } from "./send.ts";
import { onBothEngines } from "./server.ts";

// The key that the API reference makes for a signed-in person.

onBothEngines(({ startServer }) => {
  test("a one-hour key reads, its name says what it is, and the audit list has it", async () => {
    const server = await startServer({ env: BEHIND_PROXY });
    const owner = await signUp(server, "owner@example.com");
    const { status, body } = await owner.call("POST /keys/one-hour");
    const { token, key } = JSON.parse(body);
    expect([status, key.name, key.access]).toEqual([201, "API reference, one hour", "read"]);
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBe(3_600_000);
    const pets = `${server.production}/pets`;
    expect((await send("GET", pets, { key: token })).status).toBe(200);
    const refused = await send("POST", pets, { key: token, body: '{"name":"a","categoryId":1}' });
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, "forbidden"]);
    const [entry] = JSON.parse((await owner.call("GET /audit")).body);
    expect([entry.action, entry.subject, entry.detail]).toEqual([
      "key.created",
      key.id,
      "read, API reference, one hour",
    ]);

    expect((await openBrowserSession(server).call("POST /keys/one-hour")).status).toBe(401);
    const foreign = await owner.call("POST /keys/one-hour", undefined, { Origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    await server.stop();
  }, 120_000);
});
