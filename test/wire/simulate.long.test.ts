import { expect, test } from "bun:test";
import { followEvents } from "./event-source.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore({ environment: "staging" });

  const named = async (name: string) => (await server.get(`/pets?name=${name}`)).json;

  test("a request whose response is lost is executed, and a retry with its Idempotency-Key replays the response", async () => {
    const create = (headers = {}) =>
      server.post("/pets", { name: "Lost", categoryId: 1 }, { "Idempotency-Key": "lost", ...headers });
    await expect(create({ "Petstore-Simulate": "lose-answer" })).rejects.toThrow();
    const [pet] = await named("Lost");
    const again = await create();
    expect([again.headers.get("Idempotent-Replayed"), again.json]).toEqual(["true", pet]);
  });

  test.each(["GET", "HEAD", "POST", "DELETE"])("no byte of an answer to %s is sent", async (method) => {
    const path = method === "DELETE" ? "/pets/999" : "/pets";
    const address = server.staging + path;
    const body = method === "POST" ? { body: "[]" } : {};
    const headers = {
      Authorization: `Bearer ${server.key}`,
      "Content-Type": "application/json",
      "Petstore-Simulate": "lose-answer",
    };
    await expect(fetch(address, { method, headers, ...body })).rejects.toThrow();
  });

  test("a simulated error is sent before an event stream begins, and a simulated lost answer cuts the stream", async () => {
    const address = `${server.staging}/events`;
    const refused = await followEvents(address, {
      key: server.key,
      headers: { "Petstore-Simulate": "cursor_expired" },
    });
    expect([refused.status, refused.headers.get("Petstore-Simulated")]).toEqual([410, "true"]);
    expect(JSON.parse(await refused.text()).code).toBe("cursor_expired");
    const lost = followEvents(address, {
      key: server.key,
      lastEventId: "0",
      headers: { "Petstore-Simulate": "lose-answer" },
    });
    await expect(lost).rejects.toThrow();
    const real = await followEvents(address, { key: server.key, lastEventId: "0" });
    expect((await real.next())?.event).toBe("pet.created");
    real.close();
  });

  test("pages of any origin may read that a response is simulated", async () => {
    const { status, headers } = await server.get("/webhooks", { "Petstore-Simulate": "forbidden" });
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([403, "*"]);
    expect(headers.get("Access-Control-Expose-Headers")?.split(", ")).toContain("Petstore-Simulated");
  });
});
