import { expect, test } from "bun:test";
import { until } from "../until.ts";
import { BEHIND_PROXY, signUp, usePerson } from "./browser-session.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

// `GET /key` tells a program which API key it is using.

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });
  const owner = usePerson(server, "owner@example.com");
  const asked = async (key: string, base = server.production, headers = {}) => {
    const reply = await send("GET", `${base}/key`, { key, headers });
    return {
      status: reply.status,
      headers: reply.headers,
      body: reply.body === "" ? undefined : reply.json,
    };
  };

  test("each key can read its own description, with an ETag", async () => {
    const { token, key } = (await owner.call("POST /keys/one-hour")).json;
    const { id, name, createdAt, expiresAt } = key;
    const known = {
      id,
      name,
      environment: "production",
      access: "read",
      role: "owner",
      createdAt,
      expiresAt,
    };
    const operators = await makeKey(server.store, { environment: "production" });
    for (let round = 0; round < 3; round++) {
      expect(await asked(token)).toMatchObject({ status: 200, body: known });
      const { expiresAt: _, ...others } = known;
      const itself = {
        ...others,
        id: expect.stringMatching(/^key_/),
        name: "command line",
        access: "read-write",
      };
      expect((await asked(operators)).body).toEqual({ ...itself, createdAt: expect.any(String) });
    }
    const tag = (await asked(token)).headers.get("ETag") ?? "";
    expect((await asked(token, server.production, { "If-None-Match": tag })).status).toBe(304);
    expect((await asked(operators, server.production, { "If-None-Match": tag })).status).toBe(200);
    expect((await send("POST", `${server.production}/key`, { key: token })).headers.get("Allow")).toBe(
      "GET, HEAD, OPTIONS",
    );
  });

  test("the access of a writing key is bounded by its account's role, within a second of a change", async () => {
    await signUp(server, "vera@example.com");
    const key = await makeKey(server.store, { environment: "staging", account: "vera@example.com" });
    const now = async () => (await asked(key, server.staging)).body;
    expect(await now()).toMatchObject({ environment: "staging", access: "read-write", role: "staff" });
    await petstore(server.store, ["accounts", "role", "vera@example.com", "viewer"]);
    await until(async () => (await now()).role === "viewer");
    expect(await now()).toMatchObject({ access: "read", role: "viewer" });
  });

  test("a key that sells says so, keeps its access when it is rotated, and learns which access an operation needs", async () => {
    const till = (await owner.call("POST /keys", { name: "till", access: "sell" })).json;
    expect(till.key.access).toBe("sell");
    const { token } = (await owner.call(`POST /keys/${till.key.id}/rotate`, {})).json;
    expect((await asked(token)).body).toMatchObject({ access: "sell", role: "owner" });
    const reader = (await owner.call("POST /keys/one-hour")).json.token;
    const petId = await server.pet();
    const order = await server.order();
    for (const [key, request, can, needed, scope] of [
      [reader, "POST /store/orders", "only read", "a sell or read-write key", "sell"],
      [reader, `POST /store/orders/${order}/complete`, "only read", "a sell or read-write key", "sell"],
      [token, `PATCH /pets/${petId}`, "only read and sell", "a read-write key", "read-write"],
      [token, "POST /webhooks", "only read and sell", "a read-write key", "read-write"],
    ] as const) {
      const reply = await server.send(request, { key, body: "{}" });
      expect(reply).toMatchObject({
        status: 403,
        json: { code: "forbidden", message: `This API key can ${can}, but this operation needs ${needed}.` },
      });
      expect(reply.headers.get("WWW-Authenticate")).toEndWith(`error="insufficient_scope", scope="${scope}"`);
    }
    const sold = await server.send("POST /store/orders", { key: token, body: { petId } });
    expect([sold.status, sold.json.petId]).toEqual([201, petId]);
    expect((await server.send(`POST /store/orders/${sold.json.id}/complete`, { key: token })).status).toBe(
      200,
    );
    expect((await server.send(`DELETE /store/orders/${order}`, { key: token })).status).toBe(204);
    const event = (await server.get("/events?type=order.placed&limit=1")).json[0];
    expect(event.actor).toMatchObject({ kind: "key", name: "till" });
  });

  test("a key that sells gets no answer to another key's change by its Idempotency-Key", async () => {
    const { token } = (await owner.call("POST /keys", { name: "till", access: "sell" })).json;
    const all = (await owner.call("POST /keys", { name: "all" })).json.token;
    const add = (key: string) =>
      server.send("POST /pets", {
        key,
        headers: { "Idempotency-Key": "a-change" },
        body: { name: "Ada", categoryId: 1 },
      });
    expect([(await add(all)).status, (await add(token)).status, (await add(all)).status]).toEqual([
      201, 403, 201,
    ]);
  });

  test("neither the message service nor the console, whose sessions have no key, offers the operation", async () => {
    const key = await makeKey(server.store, { environment: "production" });
    expect((await asked(key, server.messages)).status).toBe(404);
    expect((await owner.call("GET /key")).status).toBe(404);
  });
});
