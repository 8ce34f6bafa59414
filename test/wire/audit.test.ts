import { expect, test } from "bun:test";
import type { AuditEntry } from "../../src/accounts/audit/contract.ts";
import { until } from "../until.ts";
import { accountId, BEHIND_PROXY, openBrowserSession, PASSWORD, usePerson } from "./browser-session.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });
  const owner = usePerson(server, "owner@example.com");

  const list = async (): Promise<AuditEntry[]> => await owner.read("/audit?limit=100");

  /** Returns the entries that `work` adds to the audit log, oldest first and in a short form. */
  async function added(work: () => Promise<unknown>): Promise<string[]> {
    const known = new Set((await list()).map(({ id }) => id));
    await work();
    const entries = await list();
    return entries
      .filter(({ id }) => !known.has(id))
      .toReversed()
      .map(({ action, actor, address, subject, detail }) =>
        [action, actor.name || actor.kind, address ?? "command line", subject, detail].join("|"),
      );
  }
  const from = (address: string) => openBrowserSession(server, "production", undefined, address);
  const idOf = (email: string) => accountId(owner, email);

  test("the list says who changed accounts, roles and keys or signed in, and from where", async () => {
    const ada = from("198.51.100.7");
    const email = "ada@example.com";
    expect(await added(() => ada.call("POST /accounts", { email, password: PASSWORD }))).toEqual([
      `account.created|${email}|198.51.100.7|${email}|staff`,
      `session.created|${email}|198.51.100.7|${email}|`,
    ]);
    expect(await added(() => ada.call("POST /session", { email, password: PASSWORD }))).toEqual([
      `session.created|${email}|198.51.100.7|${email}|`,
    ]);
    let keyId = "";
    const [made] = await added(async () => {
      keyId = (await ada.call("POST /keys", { name: "till" })).json.key.id;
    });
    expect(made).toBe(`key.created|${email}|198.51.100.7|${keyId}|read-write, till`);
    expect(await added(() => ada.call(`DELETE /keys/${keyId}`))).toEqual([
      `key.revoked|${email}|198.51.100.7|${keyId}|${email}, till`,
    ]);
    expect(await added(() => ada.call(`DELETE /keys/${keyId}`))).toEqual([]);
    const newPassword = "eight calm herons";
    expect(
      await added(() => ada.call("POST /account/password", { currentPassword: PASSWORD, newPassword })),
    ).toEqual([`account.password-changed|${email}|198.51.100.7|${email}|`]);
    const id = await idOf(email);
    const [changed, ...more] = await added(() => owner.call(`PATCH /accounts/${id}`, { role: "viewer" }));
    expect([changed, more]).toEqual([
      expect.stringMatching(
        /^account\.role-changed\|owner@example\.com\|203\.0\.[0-9.]+\|ada@example\.com\|staff → viewer$/,
      ),
      [],
    ]);
    expect(await added(() => owner.call(`PATCH /accounts/${id}`, { role: "viewer" }))).toEqual([]);
    const [removed] = await added(() => owner.call(`DELETE /accounts/${id}`));
    expect(removed).toStartWith("account.removed|owner@example.com|");
  });

  test("the list contains no refused action and no password", async () => {
    const id = await idOf("owner@example.com");
    const secret = "a secret typed too early";
    expect(
      await added(async () => {
        await owner.call(`PATCH /accounts/${id}`, { role: "viewer" });
        await owner.call("POST /keys", { name: "" });
        await from("198.51.100.8").call("POST /accounts", { email: "owner@example.com", password: PASSWORD });
      }),
    ).toEqual([]);
    await from("198.51.100.8").call("POST /session", { email: secret, password: secret });
    expect(JSON.stringify(await list())).not.toContain(secret);
  });

  test("failed sign-ins are grouped by account, address and minute", async () => {
    const email = "owner@example.com";
    const [one, other] = ["198.51.100.20", "198.51.100.21"] as const;
    for (const address of [one, one, one, other])
      await from(address).call("POST /session", { email, password: "not it at all" });
    await from(one).call("POST /session", { email: "nobody@example.com", password: "not it at all" });
    const failed = (await list()).filter(
      ({ action, address }) => action === "sign-in.failed" && (address === one || address === other),
    );
    const counts = new Map<string, number>();
    for (const { address, subject, times, at } of failed) {
      expect(at).toEndWith(":00.000Z");
      const of = `${address} ${subject}`;
      counts.set(of, (counts.get(of) ?? 0) + times);
    }
    // If the attempts fall into two different minutes, they have separate entries. Therefore, only the sums are compared.
    expect(Object.fromEntries(counts)).toEqual({
      [`${one} ${email}`]: 3,
      [`${other} ${email}`]: 1,
      [`${one} `]: 1,
    });
    expect(failed.length).toBeLessThanOrEqual(5);
  });

  /** Waits for the next millisecond, because entries from two databases have no defined order if their times are the same. */
  async function nextMillisecond(): Promise<void> {
    const now = Date.now();
    await until(() => Date.now() > now);
  }

  test("entries about webhooks and a reset of staging are merged from the databases of both environments", async () => {
    const key = await makeKey(server.store, { environment: "staging" });
    const ada = from("198.51.100.30");
    const email = "owner@example.com";
    await ada.call("POST /session", { email, password: PASSWORD });
    const url = "https://hooks.example.com/a-secret-path";
    const entries = await added(async () => {
      const { id } = (await ada.call("POST /webhooks", { url })).json;
      const headers = { "X-Forwarded-For": "198.51.100.31" };
      await nextMillisecond();
      await send("POST", `${server.staging}/webhooks`, { key, headers, body: JSON.stringify({ url }) });
      await nextMillisecond();
      await send("POST", `${server.staging}/test/reset`, { key, headers, body: '{"fixture":"shop"}' });
      await nextMillisecond();
      await ada.call("POST /keys", { name: "between" });
      await nextMillisecond();
      await ada.call(`DELETE /webhooks/${id}`);
    });
    expect(entries).toEqual([
      `webhook.created|${email}|198.51.100.30|webhook 1|https://hooks.example.com`,
      expect.stringMatching(/^webhook\.created\|key_\w+\|198\.51\.100\.31\|webhook 1\|https:/),
      expect.stringMatching(/^store\.reset\|key_\w+\|198\.51\.100\.31\|staging\|shop$/),
      expect.stringContaining("key.created"),
      `webhook.deleted|${email}|198.51.100.30|webhook 1|https://hooks.example.com`,
    ]);
    const environments = (await list()).flatMap(({ subject, environment }) =>
      subject === "webhook 1" ? [environment] : [],
    );
    expect(environments).toEqual(["production", "staging", "production"]);
  });

  test("the command line's changes are the operator's; petstore audit lists all, as a table and as JSON", async () => {
    await makeKey(server.store, { name: "from here" });
    const { code, out } = await petstore(server.store, ["audit", "--json", "--limit", "150"]);
    expect(code).toBe(0);
    const printed: AuditEntry[] = JSON.parse(out);
    expect(printed.map(({ id }) => id)).toEqual((await list()).map(({ id }) => id));
    expect(printed[0]).toMatchObject({
      action: "key.created",
      actor: { kind: "operator", name: "" },
      address: null,
      detail: "read-write, from here",
      times: 1,
    });
    const table = await petstore(server.store, ["audit", "--limit", "1"]);
    expect(table.out).toMatch(
      /^TIME +BY +FROM +ACTION +SUBJECT +DETAIL\n.* operator +command line +key\.created +key_/,
    );
  });
});
