import { describe, expect, test } from "bun:test";
import { OWASP } from "../../src/accounts/passwords.ts";
import { until } from "../until.ts";
import {
  BEHIND_PROXY,
  type BrowserSession,
  openBrowserSession,
  PASSWORD,
  signIn,
  signUp,
} from "./browser-session.ts";
import { petstore } from "./process.ts";
import { type Reply, send, sendLines } from "./send.ts";
import { onBothEngines } from "./server.ts";

// Tests accounts, sessions and API keys through the console's API, which the browser calls.

const weakness = (what: string) => `is too easy to guess: ${what}. Try a few unrelated words`;

const codeOf = ({ json }: Reply) => json.code;

onBothEngines(({ startServer, useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });

  describe("signing up", () => {
    test("creates an account and a session, in an HttpOnly cookie of its environment, which can call the store's operations", async () => {
      const browser = openBrowserSession(server);
      const reply = await browser.call("POST /accounts", { email: "Grace@Example.com ", password: PASSWORD });
      expect(reply.headers.get("set-cookie")).toMatch(
        /^petstore-production=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
      const session = await browser.read("/session");
      expect(session).toMatchObject({ environment: "production", api: server.production, signUp: "open" });
      expect(session.account.email).toBe("grace@example.com");
      expect((await browser.call("POST /pets", { name: "x", categoryId: 1 })).status).toBe(201);
      expect((await browser.call("GET /pets?limit=1")).status).toBe(200);
    });

    test.each([
      ["seven77", "must have 8 to 1024 characters"],
      ["🐈🐈🐈🐈🐈🐈🐈", "must have 8 to 1024 characters"],
      ["x".repeat(1_025), "must have 8 to 1024 characters"],
      ["Summer2026!", weakness("it is a common password, perhaps with added digits or symbols")],
      ["Common@Example.com", weakness("it is the email address")],
    ])("refuses the password %p, with the reason at its field", async (password, detail) => {
      const { status, json } = await openBrowserSession(server).call(
        "POST /accounts",
        { email: "common@example.com", password },
        { Accept: "application/problem+json" },
      );
      expect(status).toBe(400);
      expect(json.errors).toEqual([{ pointer: "#/password", detail }]);
    });

    test.each(["🐈🐕🐇🐹🐢🦜🐠🦎", `${"é".repeat(1_023)}a`])(
      "accepts a password of 8 to 1,024 characters: %p",
      async (password) => {
        const email = `long-${password.length}@example.com`;
        const browser = openBrowserSession(server);
        expect((await browser.call("POST /accounts", { email, password })).status).toBe(201);
        expect(
          (await browser.call("POST /session", { email, password: password.normalize("NFD") })).status,
        ).toBe(201);
      },
    );

    test("an address that has an account is refused at its field, even the operator's own", async () => {
      await signUp(server, "taken@example.com");
      for (const email of ["TAKEN@example.com", "operator@localhost", "nobody", ""]) {
        const reply = await openBrowserSession(server).call("POST /accounts", { email, password: PASSWORD });
        expect(reply).toMatchObject({ status: 400, json: { code: "invalid_body" } });
      }
    });
  });

  describe("signing in", () => {
    test("a wrong password and an address without an account get the same answer", async () => {
      await signUp(server, "same@example.com");
      const tryAs = (email: string) =>
        openBrowserSession(server).call("POST /session", { email, password: "not the password" });
      const wrong = await tryAs("same@example.com");
      expect(wrong.status).toBe(401);
      for (const email of ["nobody-at-all@example.com", "operator@localhost"])
        expect((await tryAs(email)).body).toBe(wrong.body);
      expect(wrong.headers.get("set-cookie")).toBeNull();
    });

    test("ends the session that this browser had before", async () => {
      const browser = await signUp(server, "again@example.com");
      const before = browser.cookie();
      await browser.call("POST /session", { email: "again@example.com", password: PASSWORD });
      expect(browser.cookie()).not.toBe(before);
      const replayed = openBrowserSession(server, "production", before);
      expect((await replayed.call("GET /pets")).status).toBe(401);
    });
  });

  describe("a session", () => {
    test("after signing out, its cookie is refused", async () => {
      const browser = await signUp(server, "out@example.com");
      const copied = openBrowserSession(server, "production", browser.cookie());
      expect((await copied.call("GET /pets")).status).toBe(200);
      const out = await browser.call("DELETE /session");
      expect([out.status, out.headers.get("set-cookie")?.includes("Max-Age=0")]).toEqual([204, true]);
      expect((await copied.call("GET /pets")).status).toBe(401);
      expect((await copied.read("/session")).account).toBeNull();
    });

    test("of staging is refused in production, under either cookie name", async () => {
      const staging = await signUp(server, "staging@example.com", "staging");
      expect((await staging.call("GET /pets")).status).toBe(200);
      const token = staging.cookie()?.split("=")[1];
      for (const name of ["petstore-staging", "petstore-production"]) {
        const reply = await openBrowserSession(server, "production", `${name}=${token}`).call("GET /pets");
        expect(reply.status).toBe(401);
      }
    });

    test("that is guessed, malformed or doubled is refused", async () => {
      const guessed = "a".repeat(43);
      for (const token of [guessed, "", "a", `${guessed}; petstore-production=b`, "%00", "'".repeat(43)]) {
        const browser = openBrowserSession(server, "production", `petstore-production=${token}`);
        const reply = await browser.call("GET /keys");
        expect(reply).toMatchObject({ status: 401, json: { code: "unauthorized" } });
      }
    });

    test("is refused by the API, and a key by the console", async () => {
      const browser = await signUp(server, "api@example.com");
      const viaV1 = await send("GET", `${server.production}/pets`, {
        headers: { Cookie: browser.cookie() ?? "" },
      });
      expect(viaV1.status).toBe(401);
      const { token } = (await browser.call("POST /keys", { name: "k" })).json;
      const { origin } = new URL(server.production);
      expect((await send("GET", `${origin}/console/api/pets`, { key: token })).status).toBe(401);
    });

    test("a change from another origin, or without an Origin, is refused", async () => {
      const browser = await signUp(server, "origin@example.com");
      const pet = { name: "forged", categoryId: 1 };
      const { origin } = new URL(server.production);
      const others = [
        ...["https://evil.example", "null", "", `${origin}.evil.example`],
        ...[origin.replace(/:\d+$/, ""), new URL(server.staging).origin],
      ];
      for (const from of others) {
        for (const [request, body] of [
          ["POST /pets", pet],
          ["DELETE /session", undefined],
          ["POST /session", { email: "origin@example.com", password: PASSWORD }],
          ["POST /account/delete", { password: PASSWORD }],
        ] as const) {
          const reply = await browser.call(request, body, { Origin: from });
          expect([from, reply.status, codeOf(reply)]).toEqual([from, 403, "forbidden"]);
        }
      }
      expect((await browser.read("/pets?limit=1"))[0]?.name).not.toBe("forged");
      expect((await browser.call("GET /session")).body).toContain("origin@example.com");
    });

    test("is listed, and can be ended only from another browser of its account", async () => {
      const one = await signUp(server, "two@example.com");
      const two = openBrowserSession(server);
      const person = { email: "two@example.com", password: PASSWORD };
      await two.call("POST /session", person, { "User-Agent": "Second/1" });
      const listed = await one.read("/account/sessions");
      expect(listed).toHaveLength(2);
      const other = listed.find((session: { isCurrent: boolean }) => !session.isCurrent);
      expect(other).toMatchObject({ userAgent: "Second/1" });
      const stranger = await signUp(server, "stranger@example.com");
      expect((await stranger.call(`DELETE /account/sessions/${other.id}`)).status).toBe(404);
      expect((await two.call("GET /pets")).status).toBe(200);
      expect((await one.call(`DELETE /account/sessions/${other.id}`)).status).toBe(204);
      expect((await two.call("GET /pets")).status).toBe(401);
      expect((await one.call(`DELETE /account/sessions/${other.id}`)).status).toBe(404);
    });
  });

  describe("concurrent requests", () => {
    test("with 60 wrong passwords check only 5 of them in the first second", async () => {
      const email = "crowd@example.com";
      await signUp(server, email);
      const address = "192.0.2.200";
      const begunAt = performance.now();
      const tries = Array.from({ length: 60 }, (_, guess) =>
        openBrowserSession(server, "production", undefined, address).call("POST /session", {
          email,
          password: `wrong guess ${guess}`,
        }),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      const seconds = (performance.now() - begunAt) / 1_000;
      // Later, one more password is checked after a wait of 1 s, another one after a further 2 s, and so on. On a busy machine, some
      // of the requests arrive that late.
      const later = Math.floor(Math.log2(seconds + 1));
      expect(statuses.filter((status) => status === 401).length).toBeWithin(5, 5 + later + 1);
    });

    test("a sign-in that began with the old password gets no session after the change", async () => {
      const email = "race@example.com";
      const person = await signUp(server, email);
      let isOver = false;
      const change = person
        .call("POST /account/password", { currentPassword: PASSWORD, newPassword: "eight calm herons" })
        .finally(() => {
          isOver = true;
        });
      const others: BrowserSession[] = [];
      const signingIn = new Set<Promise<unknown>>();
      while (!isOver && others.length < 60) {
        const other = openBrowserSession(server);
        others.push(other);
        const attempt: Promise<unknown> = other
          .call("POST /session", { email, password: PASSWORD })
          .finally(() => signingIn.delete(attempt));
        signingIn.add(attempt);
        // The throttle for passwords might refuse one of five attempts at the same time. Three sign-ins and the password change are
        // four.
        if (signingIn.size === 3) await Promise.race(signingIn);
        for (let pause = 0; pause < 5; pause++) await person.call("GET /session");
      }
      await Promise.all(signingIn);
      expect((await change).status).toBe(204);
      expect(others).not.toBeEmpty();
      for (const other of others) expect((await other.call("GET /pets")).status).toBe(401);
    });

    test("an account deleted three times during sign-ins and new keys answers every request with an expected status", async () => {
      const email = "deleted@example.com";
      const person = await signUp(server, email);
      const replies = await Promise.all([
        ...[1, 2, 3].map(() => person.call("POST /account/delete", { password: PASSWORD })),
        ...[1, 2, 3].map(() =>
          openBrowserSession(server).call("POST /session", { email, password: PASSWORD }),
        ),
        ...[1, 2, 3].map(() => person.call("POST /keys", { name: "late" })),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(statuses.slice(0, 3)).toContain(204);
      expect((await person.call("GET /keys")).status).toBe(401);
    });
  });

  test("identifiers with U+0000 are not found", async () => {
    const browser = await signUp(server, "nul@example.com");
    for (const request of ["DELETE /keys/%00", "DELETE /account/sessions/%00", "GET /messages/%00"]) {
      expect([request, (await browser.call(request)).status]).toEqual([request, 404]);
    }
  });

  test("a Host that is almost an IP address is refused on every page", async () => {
    for (const path of ["/docs", "/console/api/session", "/"]) {
      for (const host of ["1.2.3.999", "256.256.256.256", "[1]", "1.2.3.4.5"]) {
        const reply = await sendLines(server.production, `GET ${path}`, [`Host: ${host}`]);
        expect([path, host, reply.status]).toEqual([path, host, 400]);
      }
    }
  });

  describe("changing the password", () => {
    test("requires the current one, ends every other session, and takes effect at once", async () => {
      const email = "change@example.com";
      const one = await signUp(server, email);
      const two = await signIn(server, email);
      const headers = { Accept: "application/problem+json" };
      const change = (currentPassword: string, newPassword: string) =>
        one.call("POST /account/password", { currentPassword, newPassword }, headers);

      expect((await change("not it at all", "eight calm herons")).json.errors).toEqual([
        { pointer: "#/currentPassword", detail: "is not this account's password" },
      ]);
      expect((await change(PASSWORD, "qwertyuiop")).json.errors[0].pointer).toBe("#/newPassword");
      expect((await change(PASSWORD, "eight calm herons")).status).toBe(204);
      expect((await one.call("GET /pets")).status).toBe(200);
      expect((await two.call("GET /pets")).status).toBe(401);
      expect((await two.call("POST /session", { email, password: PASSWORD })).status).toBe(401);
      expect((await two.call("POST /session", { email, password: "eight calm herons" })).status).toBe(201);
    });

    test("can be done at the command line if it is forgotten, which ends every session of the account", async () => {
      const email = "forgot@example.com";
      const browser = await signUp(server, email);
      const password = "seven quiet larks";
      const reset = (who: string, input: string) =>
        petstore(server.store, ["accounts", "reset-password", who], { input });
      expect(await reset(email, `${password}\n`)).toMatchObject({ code: 0, out: "" });
      expect((await browser.call("GET /pets")).status).toBe(401);
      expect((await browser.call("POST /session", { email, password })).status).toBe(201);
      const weak = `petstore: password ${weakness("it is a common password, perhaps with added digits or symbols")}.\n`;
      expect(await reset(email, "p3tst0re2026\n")).toEqual({ code: 2, out: "", err: weak });
      const err = "petstore: There is no account who@example.com.\n";
      expect(await reset("who@example.com", "x")).toEqual({ code: 1, out: "", err });
      expect((await reset("operator@localhost", password)).code).toBe(1);
    });
  });

  test("deleting an account ends its sessions and keys at once", async () => {
    const email = "gone@example.com";
    const browser = await signUp(server, email);
    const { token } = (await browser.call("POST /keys", { name: "k" })).json;
    expect((await server.send("GET /pets", { key: token })).status).toBe(200);
    expect((await browser.call("POST /account/delete", { password: "not it at all" })).status).toBe(400);
    expect((await browser.call("POST /account/delete", { password: PASSWORD })).status).toBe(204);
    expect((await browser.call("GET /pets")).status).toBe(401);
    expect((await browser.call("POST /session", { email, password: PASSWORD })).status).toBe(401);
    expect((await server.send("GET /pets", { key: token })).status).toBe(401);
  });

  describe("API keys", () => {
    test("are shown once, work in their environment, and have the time of their last use", async () => {
      const browser = await signUp(server, "keys@example.com");
      const expiresAt = "2100-01-01T00:00:00.000Z";
      const made = await browser.call("POST /keys", { name: "display", access: "read", expiresAt });
      const { token, key } = made.json;
      const unused = { lastUsedAt: null, revokedAt: null };
      expect(key).toMatchObject({ name: "display", access: "read", expiresAt, ...unused });
      expect((await server.send("GET /pets", { key: token })).status).toBe(200);
      expect((await server.send("POST /pets", { key: token, body: {} })).status).toBe(403);
      const listed = await browser.call("GET /keys");
      expect(listed.body).not.toContain(token);
      expect(listed.json[0].lastUsedAt).toMatch(/:00\.000Z$/);
    });

    test("are refused without a name, or with an expiry in the past", async () => {
      const browser = await signUp(server, "badkeys@example.com");
      const past = { name: "x", expiresAt: "2020-01-01T00:00:00Z" };
      for (const body of [{}, { name: "" }, past, { name: "x", access: "all" }])
        expect((await browser.call("POST /keys", body)).status).toBe(400);
      expect((await browser.call("GET /keys")).body).toBe("[]");
    });

    test("that the API reference makes for one hour can only read, have a descriptive name, and are in the audit log", async () => {
      const owner = await signIn(server, "grace@example.com");
      const { status, json } = await owner.call("POST /keys/one-hour");
      const { token, key } = json;
      expect([status, key.name, key.access]).toEqual([201, "API reference, one hour", "read"]);
      expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBe(3_600_000);
      expect((await server.send("GET /pets", { key: token })).status).toBe(200);
      const refused = await server.send("POST /pets", { key: token, body: { name: "a", categoryId: 1 } });
      expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
      const [entry] = await owner.read("/audit");
      expect([entry.action, entry.subject, entry.detail]).toEqual([
        ...["key.created", key.id, "read, API reference, one hour"],
      ]);
      expect((await openBrowserSession(server).call("POST /keys/one-hour")).status).toBe(401);
      const foreign = { Origin: "https://evil.example" };
      expect((await owner.call("POST /keys/one-hour", undefined, foreign)).status).toBe(403);
    });

    test("of another account or environment can be neither listed nor revoked", async () => {
      const owner = await signUp(server, "owner@example.com");
      const other = await signUp(server, "other@example.com");
      const staging = await signIn(server, "owner@example.com", "staging");
      const { token, key } = (await owner.call("POST /keys", { name: "k" })).json;
      for (const stranger of [other, staging]) {
        expect((await stranger.call("GET /keys")).body).toBe("[]");
        expect((await stranger.call(`DELETE /keys/${key.id}`)).status).toBe(404);
      }
      expect((await server.send("GET /pets", { key: token })).status).toBe(200);
    });

    test("that call the deprecated operation are shown to their account and to owners; for others, only their number is shown", async () => {
      const owner = await signUp(server, "caller@example.com");
      const other = await signUp(server, "onlooker@example.com");
      const { token } = (await owner.call("POST /keys", { name: "old till" })).json;
      for (let call = 0; call < 3; call++) await server.send("GET /pets/1", { key: token });
      const deprecated = async (who: BrowserSession) => (await who.read("/developers")).deprecated[0];
      const seen = await deprecated(owner);
      expect(seen).toMatchObject({ operation: "getPet", sunset: "2030-12-05T00:00:00.000Z" });
      expect(seen.callers).toMatchObject([{ keyName: "old till", calls: 3 }]);
      const theirs = await deprecated(other);
      expect(JSON.stringify(theirs)).not.toContain("old till");
      expect(theirs.otherCalls).toBeGreaterThanOrEqual(3);
      const grace = await signIn(server, "grace@example.com");
      expect(await deprecated(grace)).toMatchObject({
        otherCalls: 0,
        callers: expect.arrayContaining([expect.objectContaining({ keyName: "old till" })]),
      });
    });

    test("have lists of their latest and their refused requests, without queries and keys, for their account and for owners", async () => {
      const ada = await signUp(server, "refused@example.com");
      const other = await signUp(server, "curious@example.com");
      const { token, key } = (await ada.call("POST /keys", { name: "till" })).json;
      const ask = (request: string, body?: object) => server.send(request, { key: token, body });
      await ask("GET /pets");
      await ask("GET /pets?name=Ada%20Lovelace&limit=x");
      await ask("POST /pets", { name: "secret" });
      await ask("DELETE /pets/7");
      const { headers } = await ask(`GET /store/orders/${token}%00x`);
      const refused = () => ada.call(`GET /keys/${key.id}/refusals`);
      // The service stores refused requests only after it has sent the response.
      await until(async () => (await refused()).json.length === 4);
      const { body, json: refusals } = await refused();
      expect(
        refusals.map(({ method, path, status, code }: Record<string, unknown>) => [
          method,
          path,
          status,
          code,
        ]),
      ).toEqual([
        ["GET", "/v1/store/orders/pet_live_…%00x", 404, "not_found"],
        ["DELETE", "/v1/pets/7", 404, "not_found"],
        ["POST", "/v1/pets", 400, "invalid_body"],
        ["GET", "/v1/pets", 400, "invalid_parameter"],
      ]);
      expect(refusals[0]).toEqual({
        ...refusals[0],
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        requestId: headers.get("x-request-id"),
      });
      expect((await other.call(`GET /keys/${key.id}/refusals`)).status).toBe(404);
      const owner = await signIn(server, "grace@example.com");
      expect((await owner.call(`GET /keys/${key.id}/refusals`)).body).toBe(body);

      const { body: requests, json } = await ada.call(`GET /keys/${key.id}/requests`);
      const seen = json.map((one: Record<string, unknown>) => [one["route"], one["status"]]);
      expect(seen.toReversed().slice(0, 2)).toEqual([
        ["/v1/pets", 200],
        ["/v1/pets", 400],
      ]);
      expect(seen).toHaveLength(5);
      expect((await other.call(`GET /keys/${key.id}/requests`)).status).toBe(404);
      expect((await owner.call(`GET /keys/${key.id}/requests`)).body).toBe(requests);
    });
  });

  test("the overview counts animals by status, as the list's tabs do, open orders, and keys about to expire", async () => {
    const browser = await signUp(server, "overview@example.com", "staging");
    for (const status of ["available", "available", "sold", undefined]) {
      await browser.call("POST /pets", { name: "x", categoryId: 1, status });
    }
    const [, , , first] = await browser.read("/pets");
    await browser.call("POST /store/orders", { petId: first.id });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await browser.call("POST /keys", { name: "soon", expiresAt });
    await browser.call("POST /keys", { name: "later", expiresAt: "2100-01-01T00:00:00Z" });
    const overview = await browser.read("/overview");
    const statuses = ["available", "pending", "sold", null];
    expect(overview.pets).toEqual(statuses.map((status) => ({ status, count: 1 })));
    expect(await browser.read("/pet-counts")).toEqual({ counts: overview.pets });
    expect(overview.openOrders).toBe(1);
    const expiring = async () => (await browser.read("/overview")).attention.expiringKeys;
    expect(overview.attention.expiringKeys.map(({ name }: { name: string }) => name)).toEqual(["soon"]);
    const [{ id: soon }] = overview.attention.expiringKeys;
    const { key } = (await browser.call(`POST /keys/${soon}/rotate`, {})).json;
    expect(await expiring()).toMatchObject([{ id: key.id, name: "soon" }]);
  });

  test("the overview counts what was sold and added in each of the browser's days", async () => {
    const browser = await signUp(server, "days@example.com", "staging");
    // The days begin an hour ago, because this test may run at midnight.
    const start = Date.now() - 3_600_000;
    const days = [start - 86_400_000, start, start + 86_400_000];
    const of = async (list: readonly number[]) => await browser.read(`/overview?days=${list.join()}`);
    const { token: key } = (await browser.call("POST /keys", { name: "till" })).json;
    const pet = { name: "x", categoryId: 1, status: "available" };
    const added = await Promise.all(Array.from({ length: 7 }, () => browser.call("POST /pets", pet)));
    const [petId, byKey, ...byHand] = added.map(({ json }): number => json.id);
    const before = await of(days.slice(1, 2));
    const order = (await browser.call("POST /store/orders", { petId })).json;
    await browser.call(`POST /store/orders/${order.id}/complete`);
    await send("PATCH", `${server.staging}/pets/${byKey}`, { key, body: '{"status":"sold"}' });
    await Promise.all(byHand.map((id) => browser.call(`PATCH /pets/${id}`, { status: "sold", name: "y" })));
    await browser.call("POST /pets", { name: "y", categoryId: 1 });
    const after = await of(days);
    expect(after.days.map(({ from }: { from: number }) => from)).toEqual(days.slice(1));
    const [today, tomorrow] = after.days;
    expect(today.sold).toBe(before.days[0].sold + 7);
    expect(today.added).toBe(before.days[0].added + 1);
    expect(tomorrow).toEqual({ from: days[2], sold: 0, added: 0 });
    for (const wrong of ["", "x", "2,1", "1,1", "-1", "1.5", "1,", Array.from({ length: 33 }, (_, i) => i)]) {
      const reply = await browser.call(`GET /overview?days=${wrong}`);
      expect([wrong, reply.status, reply.json.code]).toEqual([wrong, 400, "invalid_parameter"]);
    }
  });

  test("the overview shows late orders, failed messages, and to owners the webhooks that are disabled", async () => {
    const owner = await signIn(server, "grace@example.com", "staging");
    const made = async (request: string, body: unknown) => (await owner.call(request, body)).json;
    const { id: petId } = await made("POST /pets", { name: "late", categoryId: 1, status: "available" });
    const { id } = await made("POST /store/orders", { petId, shipDate: "2020-02-03T00:00:00.000Z" });
    const webhook = await made("POST /webhooks", { url: "https://example.com/hook", types: ["pet.created"] });
    await owner.call(`PATCH /webhooks/${webhook.id}`, { status: "disabled" });
    const { attention } = await made("GET /overview", undefined);
    expect(attention.orders).toEqual([expect.objectContaining({ id, petId, isLate: true })]);
    const url = "https://example.com/hook";
    expect(attention.webhooks).toEqual([{ id: webhook.id, url, status: "disabled" }]);
    expect(attention.failedMessages).toBe(0);
    const staff = await signUp(server, "attention@example.com", "staging");
    const theirs = (await staff.read("/overview")).attention;
    expect(theirs).toEqual({ ...attention, webhooks: [] });
    const { deprecated, ...notices } = await made("GET /developers", undefined);
    expect(attention).toMatchObject(notices);
    expect(deprecated).toHaveLength(1);
    await owner.call(`DELETE /webhooks/${webhook.id}`);
  });

  describe("messages", () => {
    test("of one environment are not listed in the other", async () => {
      const staging = await signUp(server, "inbox@example.com", "staging");
      await staging.call("POST /messages", { message: "only in staging" });
      expect((await staging.call("GET /messages")).body).toContain("only in staging");
      const production = await signIn(server, "inbox@example.com");
      expect((await production.call("GET /messages?limit=100")).body).not.toContain("only in staging");
    });
  });

  test("200 sign-ins at once do not delay requests with a key, and some of them get 503", async () => {
    const server = await startServer({ env: BEHIND_PROXY, passwordCost: OWASP });
    const browser = await signUp(server, "busy@example.com");
    const { token } = (await browser.call("POST /keys", { name: "k" })).json;
    let isOver = false;
    const attempts = Array.from({ length: 200 }, (_, person) =>
      openBrowserSession(server).call("POST /session", {
        email: `p${person}@example.com`,
        password: "wrong",
      }),
    );
    const answers = Promise.all(attempts).finally(() => {
      isOver = true;
    });
    let answeredInTime = 0;
    for (let call = 0; call < 50 && !isOver; call++) {
      expect((await send("GET", `${server.production}/pets`, { key: token })).status).toBe(200);
      if (!isOver) answeredInTime++;
    }
    expect(answeredInTime).toBeGreaterThan(0);
    const statuses = (await answers).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    await server.stop();
  });
});
