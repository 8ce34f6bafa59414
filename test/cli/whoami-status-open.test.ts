import { describe, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../until.ts";
import { signUp } from "../wire/browser-session.ts";
import { petstore } from "../wire/process.ts";
import { userWithKey, userWithoutLogin, useUser } from "../wire/remote.ts";
import { makeDocuments, makeKey, useStore } from "../wire/server.ts";

const server = useStore();
const user = useUser(server);

describe("whoami", () => {
  const asked = async (key: string, ...args: string[]) =>
    (await userWithKey(server, { PETSTORE_KEY: key })).json("whoami", ...args);

  test("shows the key's name, environment, access, role, expiry and address, and never the key", async () => {
    const { out } = await user.run(["whoami"]);
    expect(out).toMatch(
      /^KEY +NAME +ENVIRONMENT +ACCESS +ROLE +EXPIRES +ADDRESS +FROM\npet_live_\w{4}…\w{4} +command line +production +read-write +owner +http:\S+ +PETSTORE_KEY\n$/,
    );
    expect(out).not.toContain(user.key.slice(13));
  });

  test("shows each role and access, and requests only the key", async () => {
    // The first account is always an owner's, whatever its name is.
    for (const name of ["owner", "staff", "viewer"]) await signUp(server, `${name}@example.com`);
    const keyOf = (email: string, access: "read" | "read-write") =>
      makeKey(server.store, { account: email, access });
    const owners = await keyOf("owner@example.com", "read");
    expect(await asked(owners)).toMatchObject({ access: "read", role: "owner" });
    expect(await asked(await keyOf("staff@example.com", "read"))).toMatchObject({
      access: "read",
      role: "staff",
    });
    const demoted = await keyOf("viewer@example.com", "read-write");
    expect(await asked(demoted)).toMatchObject({ access: "read-write", role: "staff" });
    await petstore(server.store, ["accounts", "role", "viewer@example.com", "viewer"]);
    await until(async () => ((await asked(demoted)) as { role: string }).role === "viewer");
    expect(await asked(demoted)).toMatchObject({ access: "read", name: "command line", expiresAt: null });
    const { err } = await (await userWithKey(server, { PETSTORE_KEY: demoted })).run(["whoami", "--debug"]);
    expect(err.match(/(GET|PATCH|POST) \S+(?=:)/g)).toEqual([`GET ${server.production}/key`]);
  });

  test("of a stored login says so", async () => {
    const ada = await userWithoutLogin(server, user.key);
    await ada.run(["login", "--url", server.production], user.key);
    expect(await ada.json("whoami")).toMatchObject({ from: "petstore login", url: server.production });
    expect((await ada.run(["whoami", "--environment", "staging"])).err).toBe(
      "petstore: There is no key for staging. Create one in the console or with petstore keys create. Then set the variable PETSTORE_KEY to the new key, or run: petstore login --environment staging. You are logged in to production: add --environment production\n",
    );
  });
});

describe("status", () => {
  test("shows for each service whether it is ready and its version, and exits with 1 if one does not answer", async () => {
    const ada = await userWithoutLogin(server, user.key);
    await ada.run(["login", "--url", server.production, "--messages-url", server.messages], user.key);
    const key = await makeKey(server.store, { environment: "staging" });
    await ada.run(["login", "--environment", "staging", "--url", server.staging], key);
    await makeDocuments(server);
    const { code, out } = await ada.run(["status"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^SERVICE +STATE +VERSION +ADDRESS\nproduction +ready +1\.0\.0 +\S+\/v1\nstaging +ready +1\.0\.0 +\S+\/v1\nmessages +ready +1\.0\.0 +\S+\n$/,
      ),
    ]);
    const one = ["status", "--environment", "staging", "-o", "id"];
    expect(await ada.run(one)).toEqual({ code: 0, out: "staging\n", err: "" });
    const gone = await ada.run(["status", "--url", "http://127.0.0.1:9/v1", "-o", "csv"]);
    expect([gone.code, gone.out]).toEqual([
      1,
      expect.stringContaining("production,no answer,,http://127.0.0.1:9/v1\r\nstaging,ready,1.0.0,"),
    ]);
  });
});

test("status reads this machine's ports from flags or the environment, even if a login names others", async () => {
  const ada = await userWithoutLogin(server, user.key);
  await makeDocuments(server);
  const names = ["production", "staging", "messages"] as const;
  const portOf = (name: (typeof names)[number]) => new URL(server[name]).port;
  const rows = names.map((name) => `${name},ready,1.0.0,${server[name]}\r\n`);
  const all = `service,state,version,address\r\n${rows.join("")}`;
  const flags = names.flatMap((name) => [`--${name}-port`, portOf(name)]);
  expect(await ada.run(["status", "-o", "csv", ...flags])).toEqual({ code: 0, out: all, err: "" });
  const env = names.map((name) => [`PETSTORE_${name.toUpperCase()}_PORT`, portOf(name)]);
  const operator = await userWithoutLogin(server, user.key, Object.fromEntries(env));
  expect((await operator.run(["status", "-o", "csv"])).out).toBe(all);
  await ada.run(["login", "--url", server.production], user.key);
  const { out } = await ada.run(["status", "-o", "csv", "--production-port", portOf("staging")]);
  expect(out).toContain(`production,ready,1.0.0,${server.staging}\r\n`);
});

describe("open", () => {
  test("prints the console's address in a pipe, and where there is no browser", async () => {
    const { origin } = new URL(server.production);
    expect(await user.run(["open"])).toEqual({ code: 0, out: `${origin}/\n`, err: "" });
    expect(await user.run(["open", "docs"])).toEqual({ code: 0, out: `${origin}/docs\n`, err: "" });
    expect(await user.onTerminal(["open"])).toEqual({ code: 0, screen: `${origin}/\r\n` });
    expect((await user.onTerminal(["open"], { env: { BROWSER: "/nonexistent" } })).screen).toBe(
      `${origin}/\r\n`,
    );
  });

  test("opens it in the browser on a terminal", async () => {
    const seen = join(user.folder, "seen");
    const browser = join(user.folder, "browser");
    await Bun.write(browser, `#!/bin/sh\necho "$1" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`);
    await chmod(browser, 0o755);
    const { origin } = new URL(server.production);
    const { code, screen } = await user.onTerminal(["open"], { env: { BROWSER: browser } });
    expect([code, screen]).toEqual([0, `Opening ${origin}/ in the browser.\r\n`]);
    await until(() => Bun.file(seen).exists());
    expect(await Bun.file(seen).text()).toBe(`${origin}/\n`);
  });
});
