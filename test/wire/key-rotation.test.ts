import { expect, test } from "bun:test";
import type { AuditEntry } from "../../src/accounts/audit/contract.ts";
import {
  BEHIND_PROXY,
  type BrowserSession,
  openBrowserSession,
  PASSWORD,
  signUp,
  usePerson,
} from "./browser-session.ts";
import { petstore } from "./process.ts";
import { untilRefused } from "./revocation.ts";
import { persist } from "./send.ts";
import { onBothEngines } from "./server.ts";

const HOUR_MS = 3_600_000;

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });
  const owner = usePerson(server, "owner@example.com");
  const ada = usePerson(server, "ada@example.com");

  const run = (...args: string[]) => petstore(server.store, ["keys", ...args]);
  const makeKey = async (person: BrowserSession, options: object = {}) =>
    (await person.call("POST /keys", { name: "till", ...options })).json;
  const keysOf = async (person: BrowserSession) => await person.read("/keys");
  const keyOf = async (person: BrowserSession, id: string) =>
    (await keysOf(person)).find((key: { id: string }) => key.id === id);
  const statusWith = async (key: string, method = "GET") =>
    (await server.send(`${method} /pets`, { key, ...(method === "POST" && { body: {} }) })).status;
  const entriesOf = async (id: string) =>
    (await owner.read("/audit?limit=100"))
      .filter(({ subject }: AuditEntry) => subject === id)
      .map(({ action, actor, detail }: AuditEntry) => `${action}|${actor.name || actor.kind}|${detail}`);

  test("the console shows the new key once, and the old key names its replacement", async () => {
    const { token, key: old } = await makeKey(ada);
    expect(old).toMatchObject({ redacted: `${token.slice(0, 13)}…${token.slice(-4)}`, replacedBy: null });
    const { status, json: made } = await ada.call(`POST /keys/${old.id}/rotate`, { overlapHours: 2 });
    expect([status, made.key]).toEqual([201, { ...old, ...made.key, name: "till", expiresAt: null }]);
    const listed = await keyOf(ada, old.id);
    expect(listed.replacedBy).toBe(made.key.id);
    expect(Date.parse(listed.expiresAt) - Date.parse(made.key.createdAt)).toBe(2 * HOUR_MS);
    expect((await ada.call("GET /keys")).body).not.toContain(made.token);
    expect([await statusWith(token), await statusWith(made.token)]).toEqual([200, 200]);
    expect(await entriesOf(old.id)).toEqual([
      `key.rotated|ada@example.com|ada@example.com, till, by ${made.key.id}, overlap 2 h`,
      "key.created|ada@example.com|read-write, till",
    ]);
    expect(await entriesOf(made.key.id)).toEqual(["key.created|ada@example.com|read-write, till"]);
    expect((await ada.call(`DELETE /keys/${old.id}`)).status).toBe(204);
    expect([await statusWith(token), await statusWith(made.token)]).toEqual([401, 200]);
  });

  test("a refused rotation changes nothing", async () => {
    const { token, key } = await makeKey(ada);
    const codeOf = async (person: BrowserSession, body: object) => {
      const reply = await person.call(`POST /keys/${key.id}/rotate`, body);
      return [reply.status, reply.json.code];
    };
    for (const overlapHours of [-1, 169, 1.5, "1", null])
      expect(await codeOf(ada, { overlapHours })).toEqual([400, "invalid_body"]);
    expect(await codeOf(owner, {})).toEqual([403, "forbidden"]);
    expect(await codeOf(await signUp(server, "stranger@example.com"), {})).toEqual([404, "not_found"]);
    expect(await entriesOf(key.id)).toHaveLength(1);
    expect(await keyOf(ada, key.id)).toMatchObject({ replacedBy: null, expiresAt: null });
    expect((await ada.call(`POST /keys/${key.id}/rotate`, { overlapHours: 0 })).status).toBe(201);
    expect(await statusWith(token)).toBe(401);
    expect(await codeOf(ada, {})).toEqual([409, "conflict"]);
    expect(await entriesOf(key.id)).toHaveLength(2);
  });

  test("an account has at most 100 valid keys, made in the console or at the command line", async () => {
    const eve = await signUp(server, "eve@example.com");
    const replies = await Promise.all(
      Array.from({ length: 102 }, () => persist(() => eve.call("POST /keys", { name: "till" }))),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    const message =
      "eve@example.com already has 100 valid keys, the maximum for an account. Revoke a key that is no longer used.";
    expect(refused.map(({ json }) => json)).toEqual(
      Array(2).fill({ code: "conflict", status: 409, message }),
    );
    expect((await eve.call("POST /keys/one-hour")).status).toBe(409);
    const atCommandLine = await run("create", "--environment", "staging", "--account", "eve@example.com");
    expect(atCommandLine).toMatchObject({ code: 1, out: "", err: `petstore: ${message}\n` });
    const [{ id }] = await keysOf(eve);
    expect((await eve.call(`POST /keys/${id}/rotate`, {})).status).toBe(409);
    expect((await eve.call(`POST /keys/${id}/rotate`, { overlapHours: 0 })).status).toBe(201);
  });

  test("a viewer can rotate a key, and a key with write access still does no more than the role allows", async () => {
    const email = "vera@example.com";
    const vera = await signUp(server, email);
    const { key } = await makeKey(vera);
    const people = await owner.read("/accounts");
    const { id } = people.find((one: { email: string }) => one.email === email);
    expect((await owner.call(`PATCH /accounts/${id}`, { role: "viewer" })).status).toBe(200);
    const again = openBrowserSession(server);
    await again.call("POST /session", { email, password: PASSWORD });
    const { token } = (await again.call(`POST /keys/${key.id}/rotate`, {})).json;
    expect([await statusWith(token), await statusWith(token, "POST")]).toEqual([200, 403]);
  });

  test("the command line prints only the new key, and another process notices that the old one has ended", async () => {
    const { token, key } = await makeKey(ada, { expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    expect(await statusWith(token)).toBe(200);
    const { code, out, err } = await run("rotate", key.id, "--overlap", "0");
    expect([code, out]).toEqual([0, expect.stringMatching(/^pet_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}\n$/)]);
    expect(err).toMatch(
      /^Created key_\w+, a read-write key for production, owned by ada@example\.com\. The key is not shown again\.\n$/,
    );
    expect(await statusWith(out.trim())).toBe(200);
    await untilRefused(server.production, token);
    const [rotated] = await entriesOf(key.id);
    expect(rotated).toStartWith("key.rotated|operator|");

    const [made] = JSON.parse((await run("list", "--account", "ada@example.com", "--json")).out);
    expect(made.redacted).toBe(`${out.slice(0, 13)}…${out.trim().slice(-4)}`);
    const again = JSON.parse((await run("rotate", made.id, "--json")).out);
    expect(again).toMatchObject({ name: "till", environment: "production", replacedBy: null });
    const lines = (await run("list", "--account", "ada@example.com")).out.split("\n");
    const lineOf = (id: string) => lines.find((line) => line.startsWith(id));
    expect(lineOf(again.id)).toContain(again.redacted);
    expect(lineOf(made.id)).toMatch(/ replaced, until \d{4}-\d\d-\d\d \d\d:\d\d /);
    expect(lineOf(key.id)).toContain(" replaced ");
    for (const [id, ...args] of [[made.id], [made.id, "--overlap", "169"], ["key_x"]]) {
      const refused = await run("rotate", id, ...args);
      expect([refused.code, refused.out]).toEqual([args.length > 0 ? 2 : 1, ""]);
    }
  });

  test("concurrent rotations, in the service and by several commands, make only one key", async () => {
    const { key } = await makeKey(ada);
    const rotate = () => persist(() => ada.call(`POST /keys/${key.id}/rotate`, {}));
    const [one, two, ...commands] = await Promise.all([
      rotate(),
      rotate(),
      run("rotate", key.id),
      run("rotate", key.id),
    ]);
    const made = [one, two].filter(({ status }) => status === 201).length;
    const printed = commands.filter(({ code }) => code === 0).length;
    expect(made + printed).toBe(1);
    for (const { status } of [one, two]) expect([201, 409]).toContain(status);
    expect(await entriesOf(key.id)).toHaveLength(2);
  });
});
