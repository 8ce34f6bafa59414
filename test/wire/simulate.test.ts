import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClient, PetstoreConnectionError } from "../../client/src/client.ts";
import { followEvents } from "./event-source.ts";
import type { ServerProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ startProcess }) => {
  let server: ServerProcess;
  let key: string;
  beforeAll(async () => {
    server = await startProcess();
    key = await makeKey(server.store, { environment: "staging" });
  }, 120_000);
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    expect(await server.errors()).not.toContain("error");
  });

  const simulate = (value: string, method: string, path: string, headers = {}) =>
    send(method, server.staging + path, { key, headers: { "Petstore-Simulate": value, ...headers } });

  /** Our client, whose every request asks for a simulation; counts them. */
  function clientWith(value: string, retries: number) {
    const sent: string[] = [];
    const client = createClient({
      key,
      baseUrl: server.staging,
      messagesUrl: server.messages,
      retries,
      fetch(address, { headers, ...init }) {
        sent.push(init.method ?? "GET");
        return fetch(address, { ...init, headers: { ...headers, "Petstore-Simulate": value } });
      },
    });
    return { client, sent };
  }

  const named = async (name: string) =>
    JSON.parse((await send("GET", `${server.staging}/pets?name=${name}`, { key })).body);

  test("an answer that is lost, and a retry with the same Idempotency-Key, make one animal", async () => {
    const { client, sent } = clientWith("lose-answer; times=1", 2);
    const pet = await client.pets.create({ name: "Lost", categoryId: 1 });
    expect(sent).toEqual(["POST", "POST"]);
    expect(await named("Lost")).toEqual([{ id: pet.id, name: "Lost", categoryId: 1 }]);
    const events = JSON.parse((await send("GET", `${server.staging}/events?petId=${pet.id}`, { key })).body);
    expect(events).toHaveLength(1);
  });

  test("without a retry the client says that the outcome is unknown, and the animal is there", async () => {
    const { client } = clientWith("lose-answer", 0);
    const error = await client.pets
      .create({ name: "Unknown", categoryId: 1 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PetstoreConnectionError);
    expect(error).toMatchObject({ outcomeUnknown: true });
    expect(await named("Unknown")).toHaveLength(1);
  });

  test("transient errors are ridden out by the client", async () => {
    const { client, sent } = clientWith("unavailable; times=2", 2);
    const pet = await client.pets.create({ name: "Patient", categoryId: 1 });
    expect([sent.length, await named("Patient")]).toEqual([3, [pet]]);
  });

  test.each(["GET", "HEAD", "POST", "DELETE"])("no byte of an answer to %s is sent", async (method) => {
    const path = method === "DELETE" ? "/pets/999" : "/pets";
    const address = server.staging + path;
    const body = method === "POST" ? { body: "[]" } : {};
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Petstore-Simulate": "lose-answer",
    };
    await expect(fetch(address, { method, headers, ...body })).rejects.toThrow();
  });

  test("an event stream: an error before it begins; a lost answer cuts it", async () => {
    const address = `${server.staging}/events`;
    const refused = await followEvents(address, { key, headers: { "Petstore-Simulate": "cursor_expired" } });
    expect([refused.status, refused.headers.get("Petstore-Simulated")]).toEqual([410, "true"]);
    expect(JSON.parse(await refused.text()).code).toBe("cursor_expired");
    const lost = followEvents(address, {
      key,
      lastEventId: "0",
      headers: { "Petstore-Simulate": "lose-answer" },
    });
    await expect(lost).rejects.toThrow();
    const real = await followEvents(address, { key, lastEventId: "0" });
    expect((await real.next())?.event).toBe("pet.created");
    real.close();
  });

  test("pages of any origin may send the header and read the other", async () => {
    const preflight = await send("OPTIONS", `${server.staging}/pets`, {
      headers: {
        Origin: "https://shop.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "petstore-simulate",
      },
    });
    expect(preflight.headers.get("Access-Control-Allow-Headers")?.split(", ")).toContain("Petstore-Simulate");
    const { status, headers } = await simulate("forbidden", "GET", "/webhooks");
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([403, "*"]);
    expect(headers.get("Access-Control-Expose-Headers")?.split(", ")).toContain("Petstore-Simulated");
  });

  test("the log has the request, and no fault", async () => {
    const requestId = "simulated-500";
    const { status } = await simulate("internal_error", "GET", "/pets", { "X-Request-Id": requestId });
    expect(status).toBe(500);
    await server.logged(requestId);
    const lines = server
      .log()
      .split("\n")
      .filter((line) => line.includes(requestId));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "info", msg: "request", status: 500, simulated: true }),
    ]);
  });
});
