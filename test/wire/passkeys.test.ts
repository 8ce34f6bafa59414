import { beforeAll, expect, test } from "bun:test";
import { createSoftwareAuthenticator } from "../software-authenticator.ts";
import {
  BEHIND_PROXY,
  type BrowserSession,
  openBrowserSession,
  PASSWORD,
  signUp,
} from "./browser-session.ts";
import { petstore } from "./process.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });
  let origin: string;
  beforeAll(async () => {
    origin = new URL(server.production).origin;
    // Creates another owner, because the account of the last owner cannot be deleted.
    await signUp(server, "first@example.com");
  });

  async function challengeFor(browser: BrowserSession, path: string, body?: unknown) {
    const reply = await browser.call(`POST ${path}`, body);
    expect(reply.status).toBe(201);
    return { ...reply.json, origin };
  }

  async function signIn(device = createSoftwareAuthenticator()): Promise<BrowserSession | number> {
    const browser = openBrowserSession(server);
    const answer = device.sign(await challengeFor(browser, "/session/passkey/challenge"));
    const { status } = await browser.call("POST /session/passkey", answer);
    return status === 201 ? browser : status;
  }

  test("a passkey signs in until it is removed, or its account", async () => {
    const ada = await signUp(server, "ada@example.com");
    const [phone, laptop] = [createSoftwareAuthenticator(), createSoftwareAuthenticator()];
    const ids: string[] = [];
    for (const device of [phone, laptop]) {
      const challenge = await challengeFor(ada, "/account/passkeys/challenge", { password: PASSWORD });
      const body = { name: "a device", ...device.create(challenge) };
      ids.push((await ada.call("POST /account/passkeys", body)).json.id);
    }
    for (const device of [phone, laptop, phone]) {
      const browser = await signIn(device);
      if (typeof browser === "number") throw new Error(`refused with ${browser}`);
      expect((await browser.read("/session")).account.email).toBe("ada@example.com");
    }
    const [listed] = await ada.read("/account/passkeys");
    expect(listed).toMatchObject({ name: "a device", host: "localhost", lastUsedAt: expect.any(String) });
    expect((await ada.call(`DELETE /account/passkeys/${ids[0]}`)).status).toBe(204);
    expect((await ada.call(`DELETE /account/passkeys/${ids[0]}`)).status).toBe(404);
    expect(await signIn(phone)).toBe(401);
    expect(await signIn(laptop)).not.toBe(401);
    expect((await ada.call("POST /account/delete", { password: PASSWORD })).status).toBe(204);
    expect(await signIn(laptop)).toBe(401);
  });

  test("a passkey of another account can be neither listed nor removed", async () => {
    const owner = await signUp(server, "owner@example.com");
    const stranger = await signUp(server, "stranger@example.com");
    const challenge = await challengeFor(owner, "/account/passkeys/challenge", { password: PASSWORD });
    const body = { name: "mine", ...createSoftwareAuthenticator().create(challenge) };
    const { id } = (await owner.call("POST /account/passkeys", body)).json;
    expect((await stranger.call("GET /account/passkeys")).body).toBe("[]");
    expect((await stranger.call(`DELETE /account/passkeys/${id}`)).status).toBe(404);
    expect((await owner.call("GET /account/passkeys")).body).toContain(id);
  });

  test("adding, removing, using and refusing a passkey is in the audit log", async () => {
    const { out } = await petstore(server.store, ["audit", "--json"]);
    const actions = new Set(out.match(/"action":\s*"[^"]+"/g)?.map((one) => one.split('"')[3]));
    for (const action of ["passkey.added", "passkey.removed", "session.created", "sign-in.failed"])
      expect([...actions]).toContain(action);
  });
});
