import { describe, expect, test } from "bun:test";
import {
  accountId,
  BEHIND_PROXY,
  type BrowserSession,
  openBrowserSession,
  PASSWORD,
} from "./browser-session.ts";
import { petstore, startProcess } from "./process.ts";
import { onBothEngines } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests links that work only once: invitations and password resets, made in the console and on the command line.

const tokenOf = (link: string) => link.split("#")[1] ?? "";

onBothEngines(({ useStore }) => {
  const server = useStore({ env: { ...BEHIND_PROXY, PETSTORE_SIGN_UP: "invite" } });
  let owner: BrowserSession;

  const stranger = () => openBrowserSession(server);
  async function inviteByCommand(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await petstore(server.store, ["accounts", "invite", ...args]);
    expect([code, err]).toEqual([0, expect.stringContaining("The link works once, until ")]);
    return tokenOf(out.trim());
  }
  async function invite(email: string, role: string, by = owner): Promise<string> {
    const reply = await by.call("POST /invitations", { email, role });
    expect(reply.status).toBe(201);
    const { link } = reply.json;
    expect(link).toMatch(/^http:\/\/localhost:\d+\/invitation#[0-9A-Za-z]{43}$/);
    return tokenOf(link);
  }
  const accept = (token: string, rest: object = {}, browser = stranger()) =>
    browser.call("POST /invitation/accept", { token, password: PASSWORD, ...rest });
  const read = (token: string) => stranger().call("POST /invitation/read", { token });
  async function roleOf(browser: BrowserSession): Promise<unknown> {
    return (await browser.read("/session")).account?.role;
  }
  const people = async (): Promise<{ id: number; email: string; role: string }[]> =>
    await owner.read("/accounts");
  const idOf = (email: string) => accountId(owner, email);

  test("nobody can sign up without a link; the first account becomes an owner, whatever the link says", async () => {
    expect((await stranger().call("GET /session")).json.signUp).toBe("invite");
    const refused = await stranger().call("POST /accounts", { email: "a@example.com", password: PASSWORD });
    expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
    const token = await inviteByCommand("--role", "viewer");
    expect((await read(token)).json).toMatchObject({ email: null, role: "viewer" });
    expect(await accept(token)).toMatchObject({ status: 400, json: { code: "invalid_body" } });
    owner = stranger();
    expect((await accept(token, { email: "Owner@example.com" }, owner)).status).toBe(201);
    expect(await roleOf(owner)).toBe("owner");
    expect(await accept(token, { email: "b@example.com" })).toMatchObject({
      status: 404,
      json: { code: "not_found" },
    });
  });

  describe("an invitation", () => {
    test("creates one account with its role, even if it is accepted twice at the same time", async () => {
      const token = await invite("ada@example.com", "viewer");
      expect(await accept(token, { email: "eve@example.com" })).toMatchObject({
        status: 400,
        json: { code: "invalid_body" },
      });
      expect(await accept(token, { password: "ada2026!" })).toMatchObject({
        status: 400,
        json: { code: "invalid_body" },
      });
      const browsers = [stranger(), stranger(), stranger()];
      const replies = await Promise.all(browsers.map((browser) => accept(token, {}, browser)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
      const ada = browsers[replies.findIndex(({ status }) => status === 201)];
      expect(ada && (await roleOf(ada))).toBe("viewer");
      expect((await people()).filter(({ email }) => email === "ada@example.com")).toHaveLength(1);
    });

    test("ends only the previous invitation of the same address", async () => {
      const first = await invite("bob@example.com", "staff");
      const other = await invite("cy@example.com", "staff");
      const second = await invite("bob@example.com", "owner");
      expect(await read(first)).toMatchObject({ status: 404, json: { code: "not_found" } });
      expect(await accept(first)).toMatchObject({ status: 404, json: { code: "not_found" } });
      expect([(await read(second)).status, (await read(other)).status]).toEqual([200, 200]);
    });

    test("can be listed and cancelled by an owner", async () => {
      const token = await invite("dan@example.com", "staff");
      const listed = await owner.read("/invitations");
      expect(JSON.stringify(listed)).not.toContain(token);
      const { id } = listed.find(({ email }: { email: string }) => email === "dan@example.com");
      expect((await owner.call(`DELETE /invitations/${id}`)).status).toBe(204);
      expect((await accept(token)).status).toBe(404);
      expect((await owner.call(`DELETE /invitations/${id}`)).status).toBe(404);
    });

    test("ends when the account that made it is no longer an owner", async () => {
      const second = stranger();
      await accept(await invite("second@example.com", "owner"), {}, second);
      const token = await invite("mole@example.com", "owner", second);
      expect((await read(token)).status).toBe(200);
      await owner.call(`PATCH /accounts/${await idOf("second@example.com")}`, { role: "staff" });
      expect((await accept(token)).status).toBe(404);
      expect((await owner.call("GET /invitations")).body).not.toContain("mole@example.com");
    });

    test("is not made for an address that has an account; a guessed or malformed token is not found", async () => {
      const reply = await owner.call("POST /invitations", { email: "owner@example.com", role: "staff" });
      expect(reply).toMatchObject({ status: 400, json: { code: "invalid_body" } });
      for (const token of ["", "x", "a".repeat(43), "\u00e9"])
        expect(await accept(token)).toMatchObject({ status: 404, json: { code: "not_found" } });
    });
  });

  describe("a password-reset link", () => {
    const linksShownTo = async (person: BrowserSession) =>
      (await person.read("/overview?days=0")).attention.resetLinks;
    const reset = (token: string, password: string) =>
      stranger().call("POST /password-reset", { token, password });

    test("of an owner sets a new password once, and ends every session of the account", async () => {
      const email = "forgetful@example.com";
      const person = stranger();
      await accept(await invite(email, "staff"), {}, person);
      const make = async () => {
        const reply = await owner.call(`POST /accounts/${await idOf(email)}/reset-link`);
        expect(reply.status).toBe(201);
        const { link } = reply.json;
        expect(link).toMatch(/\/reset-password#[0-9A-Za-z]{43}$/);
        return tokenOf(link);
      };
      const [before, token] = [await make(), await make()];
      expect(await reset(before, "eight calm herons")).toMatchObject({
        status: 404,
        json: { code: "not_found" },
      });
      expect(await reset(token, "password1")).toMatchObject({ status: 400, json: { code: "invalid_body" } });
      expect((await reset(token, "eight calm herons")).status).toBe(204);
      expect((await person.call("GET /pets")).status).toBe(401);
      await person.call("POST /session", { email, password: "eight calm herons" });
      const made = { at: expect.any(String), actor: { kind: "person", name: "owner@example.com" } };
      expect(await linksShownTo(person)).toMatchObject([made, made]);
      expect(await linksShownTo(owner)).toEqual([]);
      expect(await reset(token, "seven quiet larks")).toMatchObject({
        status: 404,
        json: { code: "not_found" },
      });
    });

    test("of the command line works, and ends when the password is changed in another way", async () => {
      const email = "other@example.com";
      const person = stranger();
      await accept(await invite(email, "staff"), {}, person);
      const make = () => petstore(server.store, ["accounts", "reset-link", email, "--json"]);
      const stale = JSON.parse((await make()).out).link;
      const change = { currentPassword: PASSWORD, newPassword: "eight calm herons" };
      expect((await person.call("POST /account/password", change)).status).toBe(204);
      expect((await reset(tokenOf(stale), "seven quiet larks")).status).toBe(404);
      const { link } = JSON.parse((await make()).out);
      expect((await reset(tokenOf(link), "seven quiet larks")).status).toBe(204);
      await person.call("POST /session", { email, password: "seven quiet larks" });
      const made = { actor: { kind: "operator", name: "" } };
      expect(await linksShownTo(person)).toMatchObject([made, made]);
      expect((await petstore(server.store, ["accounts", "reset-link", "operator@localhost"])).code).toBe(1);
    });
  });

  test("its use is in the audit log, without its token", async () => {
    const token = await invite("last@example.com", "staff");
    await read(token);
    await accept(token);
    const { body, json } = await owner.call("GET /audit?limit=100");
    expect(body).not.toContain(token);
    const actions = json.map(({ action }: { action: string }) => action);
    for (const action of [
      ...["invitation.created", "invitation.accepted", "invitation.withdrawn"],
      ...["reset-link.created", "account.password-reset", "account.created"],
    ])
      expect(actions).toContain(action);
    const { dataDir } = server.store;
    for (const file of new Bun.Glob("*.sqlite*").scanSync({ cwd: dataDir, absolute: true }))
      expect(Buffer.from(await Bun.file(file).bytes()).includes(token)).toBe(false);
  });
});

test("while sign-up is closed, only the command line creates accounts", async () => {
  const store = await freshEmbeddedStore();
  const env = { PETSTORE_SIGN_UP: "closed" };
  const server = await startProcess({ store, env });
  const link = (await petstore(store, ["accounts", "invite"])).out.trim();
  const browser = openBrowserSession(server);
  const body = { email: "a@example.com", password: PASSWORD };
  expect(await browser.call("POST /accounts", body)).toMatchObject({
    status: 403,
    json: { code: "forbidden" },
  });
  const accepted = await browser.call("POST /invitation/accept", { ...body, token: tokenOf(link) });
  expect(accepted).toMatchObject({ status: 403, json: { code: "forbidden" } });
  const created = await petstore(store, ["accounts", "create", body.email], { input: PASSWORD });
  expect([created.code, created.err]).toEqual([0, expect.stringContaining("with the role owner")]);
  expect((await browser.call("POST /session", body)).status).toBe(201);
  const invited = await browser.call("POST /invitations", { email: "b@example.com", role: "staff" });
  expect(invited).toMatchObject({ status: 403, json: { code: "forbidden" } });
  const err = expect.stringContaining("petstore accounts create");
  expect(await petstore(store, ["accounts", "invite"], { env })).toEqual({ code: 1, out: "", err });
  await server.stop();
  expect(server.log()).toContain("petstore accounts create EMAIL");
});
