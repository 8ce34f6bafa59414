import { describe, expect, test } from "bun:test";
import { petstore } from "./process.ts";
import { type Server, startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// A container's health check has neither a shell nor curl: the program checks itself.

function portsOf({ production, staging, messages }: Server): Record<string, string> {
  return {
    PETSTORE_PRODUCTION_PORT: new URL(production).port,
    PETSTORE_STAGING_PORT: new URL(staging).port,
    PETSTORE_MESSAGES_PORT: new URL(messages).port,
  };
}

describe("petstore healthcheck", () => {
  test("ends with 0 while every service is ready, and with 1 once they have gone", async () => {
    const server = await startServer({ store: await freshEmbeddedStore() });
    const env = portsOf(server);
    expect(await petstore(server.store, ["healthcheck"], { env })).toEqual({
      code: 0,
      out: "production: ready\nstaging: ready\nmessages: ready\n",
      err: "",
    });
    await server.stop();
    const { code, out } = await petstore(server.store, ["healthcheck", "staging"], { env });
    expect([code, out]).toEqual([1, "staging: no answer\n"]);
  });

  test("checks one service alone, as a container that serves one does", async () => {
    const server = await startServer({ store: await freshEmbeddedStore() });
    const env = { ...portsOf(server), PETSTORE_PRODUCTION_PORT: "1" };
    expect((await petstore(server.store, ["healthcheck"], { env })).code).toBe(1);
    expect((await petstore(server.store, ["healthcheck", "messages"], { env })).code).toBe(0);
    await server.stop();
  });

  test("checks this machine directly, even when the environment names a proxy", async () => {
    const server = await startServer({ store: await freshEmbeddedStore() });
    const proxy = "http://127.0.0.1:1";
    const env = { ...portsOf(server), HTTP_PROXY: proxy, http_proxy: proxy };
    expect((await petstore(server.store, ["healthcheck"], { env })).code).toBe(0);
    await server.stop();
  });

  test("is not fooled by another program, nor by a service that is not ready", async () => {
    const store = await freshEmbeddedStore();
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ok") });
    const away = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ code: "unavailable", message: "Soon.", status: 503 }, { status: 503 }),
    });
    const ask = (port: number | undefined) =>
      petstore(store, ["healthcheck", "production", "--production-port", String(port)]);
    expect(await ask(other.port)).toMatchObject({ code: 1, out: "production: no answer\n" });
    expect(await ask(away.port)).toMatchObject({ code: 1, out: "production: not ready\n" });
    await Promise.all([other.stop(true), away.stop(true)]);
  });
});
