import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, startFlawedServer } from "../client/flawed-server.ts";
import { type RemoteUser, typeAt, userWithoutLogin } from "./remote.ts";
import { untilRefused } from "./revocation.ts";
import { makeKey, useStore } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

const server = useStore();
let staging: string;
beforeAll(async () => {
  staging = await makeKey(server.store, { environment: "staging" });
});

const fileOf = ({ folder }: RemoteUser) => join(folder, "config/petstore/credentials.json");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Returns a user of the command line who has logged in to production with an API key that was read from a pipe. */
async function loggedIn(): Promise<RemoteUser> {
  const user = await userWithoutLogin(server, server.key);
  const { code, err } = await user.run(["login", "--url", server.production], `${server.key}\n`);
  if (code !== 0) throw new Error(err);
  return user;
}

describe("petstore login", () => {
  test("is suggested by a command that has no key", async () => {
    const user = await userWithoutLogin(server, server.key);
    expect(await user.run(["pets", "list", "--environment", "staging"])).toEqual({
      code: 1,
      out: "",
      err: "petstore: There is no key for staging. Create one in the console or with petstore keys create. Then set the variable PETSTORE_KEY to the new key, or run: petstore login --environment staging.\n",
    });
  });

  test("stores a key from a pipe in a file that only its owner can read, and commands use it", async () => {
    const user = await userWithoutLogin(server, server.key);
    const { code, out, err } = await user.run(["login", "--url", server.production], `${server.key}\n`);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toBe(
      `Logged in to production at ${server.production}. The key is in ${fileOf(user)}, which only you can read.\n`,
    );
    expect([modeOf(fileOf(user)), modeOf(join(fileOf(user), ".."))]).toEqual(["600", "700"]);
    expect(readdirSync(join(fileOf(user), ".."))).toEqual(["credentials.json"]);
    expect((await user.run(["pets", "add", "Mine", "--category", "1"])).code).toBe(0);
    expect((await user.run(["pets", "list"])).out).toContain("Mine");
  });

  test("keeps one key for each environment", async () => {
    const user = await loggedIn();
    const args = ["login", "--environment", "staging", "--url", server.staging, "--json"];
    const { out } = await user.run(args, staging);
    expect(JSON.parse(out)).toEqual({ environment: "staging", url: server.staging, file: fileOf(user) });
    await user.run(["pets", "add", "Trial", "--category", "1", "--environment", "staging"]);
    expect((await user.run(["pets", "list", "--environment", "staging"])).out).toContain("Trial");
    expect((await user.run(["pets", "list"])).out).not.toContain("Trial");
  });

  test("refuses the key of the other environment by its prefix, before any request", async () => {
    const user = await userWithoutLogin(server, server.key);
    const { code, err } = await user.run(["login", "--url", "http://127.0.0.1:9/v1"], staging);
    expect([code, err]).toEqual([
      1,
      "petstore: The input is a key for staging, not for production. Add: --environment staging\n",
    ]);
    expect(existsSync(fileOf(user))).toBe(false);
  });

  test("refuses a text that is not a key, a mistyped key, and an unknown key", async () => {
    const user = await userWithoutLogin(server, server.key);
    const unknown = await makeKey(await freshEmbeddedStore());
    const cases: [key: string, says: string][] = [
      ["hunter2", "petstore: The input is not an API key. An API key begins with pet_live_ or pet_test_.\n"],
      [
        server.key.slice(0, -1),
        "petstore: The API key is incomplete or has a typing mistake: its checksum is wrong. Copy the whole key.\n",
      ],
      [unknown, "petstore: The API key is invalid, expired or revoked. "],
    ];
    for (const [key, says] of cases) {
      const { code, out, err } = await user.run(["login", "--url", server.production], key);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toStartWith(says);
      expect(err).not.toContain(key);
      expect(existsSync(fileOf(user))).toBe(false);
    }
  });

  test("warns that plain HTTP to another machine sends the key without encryption", async () => {
    const user = await userWithoutLogin(server, server.key);
    // On Linux, 0.0.0.0 also leads to this machine, but it is not a loopback address.
    const url = server.production.replace("localhost", "0.0.0.0");
    const { code, err } = await user.run(["login", "--url", url], server.key);
    expect([code, err.split("\n")[0]]).toEqual([
      0,
      `The key is sent to ${url} without encryption: others on the network can read it. Use https.`,
    ]);
    expect((await user.run(["login", "--url", server.production], server.key)).err).not.toContain(
      "without encryption",
    );
  });

  test("prompts on a terminal, and does not echo the key", async () => {
    const user = await userWithoutLogin(server, server.key);
    const typing = typeAt("API key for production: ", `${server.key}\r`);
    const { code, screen } = await user.onTerminal(["login", "--url", server.production], typing);
    expect(code).toBe(0);
    expect(screen).toContain(`Logged in to production at ${server.production}.`);
    expect(screen).not.toContain(server.key.slice(9));
    expect(JSON.parse(readFileSync(fileOf(user), "utf8")).production.key).toBe(server.key);
  });

  test("ends with Ctrl-C, exit code 130", async () => {
    const user = await userWithoutLogin(server, server.key);
    const typing = typeAt("API key for production: ", "\x03");
    const { code } = await user.onTerminal(["login", "--url", server.production], typing);
    expect(code).toBe(130);
    expect(existsSync(fileOf(user))).toBe(false);
  });
});

describe("the stored key", () => {
  test("is refused when others can read the file, with what to run", async () => {
    const user = await loggedIn();
    for (const [mode, ...args] of [
      [0o640, "pets", "list"],
      [0o604, "login"],
      [0o622, "logout"],
    ] as const) {
      chmodSync(fileOf(user), mode);
      const err = `petstore: Other users of this machine can read the keys in ${fileOf(user)}. Run: chmod 600 '${fileOf(user)}'\n`;
      expect(await user.run(args, server.key)).toEqual({ code: 1, out: "", err });
    }
    chmodSync(fileOf(user), 0o600);
    expect((await user.run(["pets", "list"])).code).toBe(0);
  });

  test("is sent only to the address for which it was stored", async () => {
    const user = await loggedIn();
    const elsewhere = await startFlawedServer(() => answer(200, []));
    const url = `${elsewhere.origin}/v1`;
    const { code, err } = await user.run(["pets", "list", "--url", url]);
    expect([code, err]).toEqual([
      1,
      `petstore: The stored key for production is for another address, not for ${url}. Run: petstore login --environment production --url ${url}\n`,
    ]);
    const messages = await user.run(["messages", "send", "Hi", "--messages-url", url]);
    expect(messages.code).toBe(1);
    expect(elsewhere.seen).toEqual([]);
    elsewhere.stop();
  });

  test("is ignored if PETSTORE_KEY is set, which is refused by its prefix for the other environment", async () => {
    const user = await loggedIn();
    const child = (key: string, ...args: string[]) =>
      user.onTerminal(["pets", "list", ...args], {
        env: { PETSTORE_KEY: key, PETSTORE_URL: server.staging, NO_COLOR: "1" },
      });
    expect((await child(staging, "--environment", "staging")).code).toBe(0);
    const refused = await child(staging);
    expect(refused.code).toBe(1);
    expect(refused.screen).toContain("PETSTORE_KEY is a key for staging, not for production.");
    expect(refused.screen).not.toContain(staging);
  });

  test("that was revoked is reported with the login command to run", async () => {
    const user = await userWithoutLogin(server, await makeKey(server.store));
    expect((await user.run(["login", "--url", server.production], user.key)).code).toBe(0);
    const [newest] = JSON.parse((await user.run(["keys", "list", "--json"])).out);
    expect((await user.run(["keys", "revoke", newest.id])).code).toBe(0);
    await untilRefused(server.production, user.key);
    expect((await user.run(["pets", "list"])).err).toMatch(
      /^petstore: The API key is invalid, expired or revoked\. Run: petstore login --environment production \(request/,
    );
  });

  test("is not read from a file in another format", async () => {
    const user = await loggedIn();
    for (const text of ["{", '{"production":"pet_live_x"}']) {
      writeFileSync(fileOf(user), text);
      const { code, err } = await user.run(["pets", "list"]);
      expect([code, err]).toEqual([
        1,
        `petstore: ${fileOf(user)} is not a credentials file of petstore. Remove it, and run: petstore login\n`,
      ]);
    }
  });
});

describe("petstore logout", () => {
  test("forgets the key of one environment and keeps the other", async () => {
    const user = await loggedIn();
    await user.run(["login", "--environment", "staging", "--url", server.staging], staging);
    const { code, err } = await user.run(["logout"]);
    expect([code, err]).toEqual([
      0,
      `Logged out of production at ${server.production}. The key stays valid. To revoke it: petstore keys revoke ID\n`,
    ]);
    expect(Object.keys(JSON.parse(readFileSync(fileOf(user), "utf8")))).toEqual(["staging"]);
    expect(modeOf(fileOf(user))).toBe("600");
    expect((await user.run(["pets", "list"])).err).toEndWith(
      " You are logged in to staging: add --environment staging\n",
    );
    expect((await user.run(["logout"])).err).toBe("There is no stored key for production.\n");
  });
});

test("no key is in anything that a command prints", async () => {
  const user = await loggedIn();
  const commands = [
    ["login", "--url", server.production, "--json"],
    ["pets", "list", "--json"],
    ["pets", "list", "--url", "http://127.0.0.1:9/v1"],
    ["pets", "add", "X", "--category", "1"],
    ["pets", "remove", "999999"],
    ["messages", "status", "msg_x", "--messages-url", server.messages],
    ["logout", "--json"],
  ];
  for (const args of commands) {
    const { out, err } = await user.run(args, server.key);
    expect([args, (out + err).includes(server.key)]).toEqual([args, false]);
  }
});
