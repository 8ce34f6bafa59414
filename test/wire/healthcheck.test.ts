import { describe, expect, test } from "bun:test";
import { petstore } from "./process.ts";
import { startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// With `petstore healthcheck`, a container's health check needs neither a shell nor curl.

describe("petstore healthcheck", () => {
  test("checks the named service, or production, or if there is no production all services that answer, without a proxy", async () => {
    const server = await startServer({ store: await freshEmbeddedStore() });
    const portOf = (address: string) => new URL(address).port;
    const ports = {
      PETSTORE_PRODUCTION_PORT: portOf(server.production),
      PETSTORE_STAGING_PORT: portOf(server.staging),
      PETSTORE_MESSAGES_PORT: portOf(server.messages),
    };
    const check = (env: object, ...names: string[]) =>
      petstore(server.store, ["healthcheck", ...names], { env: { ...ports, ...env } });
    expect(await check({})).toEqual({
      code: 0,
      out: "production: ready\nstaging: ready\nmessages: ready\n",
      err: "",
    });
    const proxy = "http://127.0.0.1:1";
    expect((await check({ HTTP_PROXY: proxy, http_proxy: proxy })).code).toBe(0);
    const unavailable = () => Response.json({ code: "unavailable" }, { status: 503 });
    const closed = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: unavailable });
    const away = { PETSTORE_PRODUCTION_PORT: "1" };
    const stagingClosed = { PETSTORE_STAGING_PORT: String(closed.port) };
    const codes = [
      check(stagingClosed),
      check(away),
      check({ ...away, ...stagingClosed }),
      check(away, "production"),
    ];
    expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([0, 0, 1, 1]);
    await Promise.all([server.stop(), closed.stop(true)]);
    // These are not the ports of the stopped services, because another program may use them by now.
    const none = { ...away, PETSTORE_STAGING_PORT: "1", PETSTORE_MESSAGES_PORT: "1" };
    expect((await check(none)).code).toBe(1);
    expect(await check(none, "staging")).toMatchObject({ code: 1, out: "staging: no answer\n" });
  });

  test("fails for another program, and for a service that is not ready", async () => {
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
