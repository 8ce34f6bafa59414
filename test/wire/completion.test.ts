import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { petstore } from "./process.ts";
import { useUser } from "./remote.ts";
import { onBothEngines, useStore } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// test/cli/completion*.test.ts test the side of the shells.

const complete = (line: string) => ["__complete", "--", ...line.split(" ")];
const SILENT = { code: 0, out: "", err: "" };

onBothEngines(({ useStore }) => {
  const server = useStore();
  const user = useUser(server);

  /** Candidates for the last word of a line, with descriptions. If a search times out on a busy machine, it is repeated. */
  async function offered(line: string): Promise<readonly string[]> {
    for (;;) {
      const { code, out, err } = await user.run(complete(line));
      expect([code, err]).toEqual([0, ""]);
      expect(out).not.toContain(user.key);
      if (out !== "") return out.trimEnd().split("\n");
    }
  }

  test("animals, orders, categories, webhooks and deliveries of the service are offered, newest first", async () => {
    for (const name of ["Fluffy", "Flying\u001b[31mFox", "Rex"]) await server.pet({ name });
    await server.add("/categories", { name: "Birds\tof prey" });
    await server.order(3);
    await server.add("/webhooks", { url: "https://hooks.invalid/petstore" });
    await server.post("/webhooks/1/test");
    expect(await offered("pets show ")).toEqual(["3\tRex", "2\tFlying\\u001b[31mFox", "1\tFluffy"]);
    expect(await offered("pets list --id 3,1")).toEqual(["3,1\tFluffy"]);
    expect(await offered("pets add Tweety --category ")).toEqual(["2\tBirds\\tof prey"]);
    expect(await offered("orders complete ")).toEqual(["1\tanimal 3, open"]);
    expect(await offered("webhooks test ")).toEqual(["1\thttps://hooks.invalid/petstore"]);
    expect((await offered("webhooks redeliver 1 ")).at(-1)).toMatch(/^1\twebhook\.test, /);
  });

  test("a name is completed whatever its case, unless it has characters that control a terminal", async () => {
    expect(await offered("pets list --name fl")).toEqual(["Fluffy"]);
    expect(await offered("pets export --name=re")).toEqual(["--name=Rex"]);
  });

  test("accounts and valid keys of the store on this machine are offered", async () => {
    const [keyId = ""] = (await user.run(["keys", "list", "-q"])).out.split("\n");
    await user.run(["keys", "create", "--environment", "staging"]);
    const [revoked = ""] = (await user.run(["keys", "list", "-q"])).out.split("\n");
    await user.run(["keys", "revoke", revoked, "--yes"]);
    expect(await offered("keys revoke ")).toEqual([`${keyId}\tcommand line, production`]);
    expect(await offered("accounts role op")).toEqual(["operator@localhost\towner"]);
    expect(await offered("keys list --account op")).toEqual(["operator@localhost\towner"]);
  });
});

const server = useStore();
const user = useUser(server);

test.each([
  ["without a key", {}],
  ["with a key of another environment", { PETSTORE_KEY: "pet_test_x" }],
  ["with a misspelt variable", { PETSTORE_KEYS: "x" }],
  ["where no service listens", { PETSTORE_URL: "http://127.0.0.1:9/v1" }],
])("nothing is printed %s", async (_name, env) => {
  const own = { PETSTORE_URL: server.production, PETSTORE_KEY: user.key, ...env };
  if (Object.keys(env).length === 0) Object.assign(own, { PETSTORE_KEY: "" });
  expect(await petstore(server.store, complete("pets show "), { env: { ...user.env, ...own } })).toEqual(
    SILENT,
  );
});

test("a service that does not answer is not waited for, and one that a line names gets no key", async () => {
  let requests = 0;
  const silent = Bun.serve({
    port: 0,
    fetch() {
      requests++;
      return new Promise<Response>(() => {});
    },
  });
  const address = `http://127.0.0.1:${silent.port}/v1`;
  const env = { ...user.env, PETSTORE_URL: address };
  expect(await petstore(server.store, complete("pets show "), { env })).toEqual(SILENT);
  expect(requests).toBe(1);
  expect(await user.run(complete(`pets show --url ${address} `))).toEqual(SILENT);
  expect(requests).toBe(1);
  await silent.stop(true);
});

test("a folder without a store stays empty, and a mistake prints nothing", async () => {
  const store = await freshEmbeddedStore();
  for (const line of ["keys revoke ", "accounts role ", "pets list --limit x --status ", "--version "])
    expect([line, await petstore(store, complete(line))]).toEqual([line, SILENT]);
  expect(await readdir(store.dataDir)).toEqual([]);
});
