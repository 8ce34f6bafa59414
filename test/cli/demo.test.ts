import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowserSession, PASSWORD } from "../wire/browser-session.ts";
import { petstore } from "../wire/process.ts";
import { type RemoteUser, userWithoutLogin } from "../wire/remote.ts";
import { send } from "../wire/send.ts";
import { type Server, startServer, useStore } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { UNPRIVILEGED } from "./unprivileged.ts";

const server = useStore();
let ada: RemoteUser;
beforeAll(async () => {
  ada = await userWithoutLogin(server, "");
});

const portsOf = ({ staging, messages }: Server) => ({
  PETSTORE_STAGING_PORT: new URL(staging).port,
  PETSTORE_MESSAGES_PORT: new URL(messages).port,
});
const demo = (...args: string[]) =>
  petstore(server.store, ["demo", ...args], { env: { ...ada.env, ...portsOf(server) } });
const keys = async (): Promise<{ id: string; name: string; revokedAt: string | null }[]> =>
  JSON.parse((await petstore(server.store, ["keys", "list", "--environment", "staging", "--json"])).out);

describe("petstore demo", () => {
  test("fills staging with the sample shop, logs in with a new key, and prints only that key", async () => {
    const { code, out, err } = await demo();
    expect([code, out]).toEqual([0, expect.stringMatching(/^pet_test_\w+\n$/)]);
    const lines = err.split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `Staging is ready at ${server.staging}.`,
      expect.stringMatching(/^Staging has a sample shop: \d+ animals in \d+ categories, \d+ orders\.$/),
      expect.stringMatching(/^Logged in to staging with the new key key_\w+, which is stored in \/.+\.$/),
      `The console is at ${new URL(server.staging).origin}/`,
    ]);
    expect((await send("GET", `${server.staging}/pets`, { key: out.trim() })).status).toBe(200);
    const pets = await ada.json<unknown[]>("pets", "list", "--environment", "staging", "--all");
    expect(err).toContain(` ${pets.length} animals`);
    expect(err).toContain("/animals/5\n");
    expect(err).not.toContain(out.trim());
    expect(err).toContain(`pets list --environment staging --url ${server.staging}\n`);
    // The command does not print the sign-in link here, because standard output is not a terminal and the link could end up in a
    // log.
    expect(err).toMatch(
      /\nThere is no owner yet: this command prints a link.*:\n\n {2}\S+ accounts invite .*\n/,
    );
    expect(err).not.toContain("/invitation#");
  });

  test("refuses to replace the content of staging without --yes, and leaves no key behind", async () => {
    const before = await keys();
    const { code, out, err } = await demo();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /\npetstore: Staging already has data: animal \d+, .+\. To replace all of it with the sample shop, add --yes\.\n$/,
    );
    const [newest, ...others] = await keys();
    // Only the identifiers of the API keys are compared, because the time of a key's last use is stored with a delay.
    const valid = (all: typeof before) =>
      all.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    expect([newest?.revokedAt, valid(others)]).toEqual([expect.any(String), valid(before)]);
    const { id } = await ada.json<{ id: number }>("categories", "add", "Mine", "--environment", "staging");
    expect((await demo("--yes")).code).toBe(0);
    const gone = await ada.run(["categories", "show", String(id), "--environment", "staging"]);
    expect(gone.err).toContain(`There is no category ${id}.`);
  });

  test("prints the key if its login cannot be stored, and says so", async () => {
    const home = mkdtempSync(join(tmpdir(), "petstore-home-"));
    chmodSync(home, 0o500);
    const env = { ...ada.env, ...portsOf(server), XDG_CONFIG_HOME: home };
    const program = UNPRIVILEGED;
    const { code, out, err } = await petstore(server.store, ["demo", "--yes"], { env, program });
    const unstored = `The login was not stored: ${home}/petstore cannot be created: this user `;
    expect([code, out]).toEqual([0, expect.stringMatching(/^pet_test_\w+\n$/)]);
    expect(err).toContain(`\n${unstored}`);
    expect(err).toContain("\nCommands to try next (first set PETSTORE_KEY to the key below):\n");
    expect((await send("GET", `${server.staging}/pets`, { key: out.trim() })).status).toBe(200);
    const login = ["login", "--environment", "staging", "--url", server.staging];
    const { code: refused, err: says } = await petstore(server.store, login, { env, program, input: out });
    expect([refused, says]).toEqual([1, expect.stringContaining(`petstore: ${unstored}`)]);
  });

  test("says what is wrong without the service, with another data folder, and with a login elsewhere", async () => {
    const lost = await petstore(server.store, ["demo", "--staging-port", "9"], { env: ada.env });
    expect([lost.code, lost.err]).toEqual([
      1,
      expect.stringMatching(
        /^petstore: Staging does not answer at \S+:9\/v1\. Start the service: .+ serve\n$/,
      ),
    ]);
    const other = await startServer({ store: await freshEmbeddedStore() });
    const wrong = await petstore(other.store, ["demo", "--yes"], { env: { ...ada.env, ...portsOf(server) } });
    const elsewhere = await petstore(other.store, ["demo"], { env: { ...ada.env, ...portsOf(other) } });
    await other.stop();
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining("Set --data-dir to the service's data folder."),
    ]);
    expect([elsewhere.code, elsewhere.err]).toEqual([
      1,
      expect.stringContaining(`You are already logged in to staging at ${server.staging}.`),
    ]);
  });

  test("refuses a key for production in PETSTORE_KEY before anything else, as petstore listen does", async () => {
    const env = { ...ada.env, ...portsOf(server), PETSTORE_KEY: server.key };
    // The times at which API keys were last used are not compared, because they are stored with a delay.
    const made = async () => (await keys()).map(({ id, revokedAt }) => [id, revokedAt]);
    const before = await made();
    for (const args of [
      ["demo", "--yes"],
      ["listen", "--forward-to", server.messages],
    ])
      expect(await petstore(server.store, args, { env })).toEqual({
        code: 1,
        out: "",
        err: "petstore: PETSTORE_KEY is a key for production, not for staging. Unset the variable: unset PETSTORE_KEY\n",
      });
    expect(await made()).toEqual(before);
  });

  test("shows the owner's link on a terminal, and opens the console once there is an owner", async () => {
    const env = { ...server.store.settings, ...portsOf(server), BROWSER: "/bin/true" };
    const { origin } = new URL(server.staging);
    const first = await ada.onTerminal(["demo", "--yes"], { env });
    expect([first.code, first.screen]).toEqual([0, expect.not.stringContaining("Opening")]);
    const [, token] = new RegExp(`${origin}/invitation#(\\w{43})\\s`).exec(first.screen) ?? [];
    const owner = { token, email: "owner@example.com", password: PASSWORD };
    const accepted = await openBrowserSession(server, "staging").call("POST /invitation/accept", owner);
    expect(accepted).toMatchObject({ status: 201, json: { role: "owner" } });
    const { code, screen } = await ada.onTerminal(["demo", "--yes"], { env });
    expect([code, screen]).toEqual([0, expect.stringContaining(`Opening ${origin}/ in the browser.`)]);
    expect(screen).not.toContain("owner");
  });
});
