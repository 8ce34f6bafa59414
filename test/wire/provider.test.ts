import { afterAll, beforeAll, expect, test } from "bun:test";
import { startIdentityProvider } from "./identity-provider.ts";
import { openJar, PUBLIC_ORIGIN } from "./provider-browser.ts";
import { onBothEngines, type Server } from "./server.ts";

// Tests sign-in with a real OpenID Connect provider: the certified oidc-provider, on a port of this machine.

const provider = await startIdentityProvider([`${PUBLIC_ORIGIN}/sign-in/return`]);
afterAll(provider.stop);
const env = {
  ...provider.env,
  PETSTORE_PRODUCTION_URL: `${PUBLIC_ORIGIN}/v1`,
  PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
};
const PASSWORD = "nine gentle otters";

onBothEngines(({ freshStore, startServer }) => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ store: await freshStore(), env });
  });
  afterAll(() => server.stop());

  test("an account can be linked to a person at the provider, who then signs in; without the link, the same address does not sign in", async () => {
    const ada = openJar(server);
    expect((await ada.call("POST /accounts", { email: "ada@example.com", password: PASSWORD })).status).toBe(
      201,
    );
    expect((await ada.call("GET /session")).json.provider).toBe("127.0.0.1");

    const stranger = openJar(server, "203.0.113.10");
    const begun = await stranger.call("POST /session/provider/departure");
    expect(begun.status).toBe(201);
    const refused = await stranger.call("POST /session/provider", {
      query: await provider.visit(begun.json.url),
    });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      expect.stringContaining("no invitation for ada@"),
    ]);

    const wrong = await ada.call("POST /account/identities/departure", { password: "wrong horse battery" });
    expect(wrong.status).toBe(400);
    const leaving = await ada.call("POST /account/identities/departure", { password: PASSWORD });
    const linked = await ada.call("POST /session/provider", {
      query: await provider.visit(leaving.json.url),
    });
    expect([linked.status, linked.json.outcome]).toEqual([201, "linked"]);
    const [identity] = (await ada.call("GET /account/identities")).json;
    expect(identity).toMatchObject({ issuer: provider.issuer, name: "ada@example.com", lastUsedAt: null });

    const again = await stranger.call("POST /session/provider/departure");
    const { status, json } = await stranger.call("POST /session/provider", {
      query: await provider.visit(again.json.url),
    });
    expect([status, json]).toMatchObject([
      201,
      { outcome: "signed-in", account: { email: "ada@example.com" } },
    ]);
    expect((await stranger.call("GET /account/identities")).json).toHaveLength(1);
    expect((await stranger.call("GET /session/provider/end")).json.url).toStartWith(
      `${provider.issuer}/session/end?`,
    );

    const removed = await ada.call(`POST /account/identities/${identity.id}/remove`, { password: PASSWORD });
    expect(removed.status).toBe(204);
    const actions = (await ada.call("GET /audit")).json;
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["identity.linked", "identity.unlinked"]),
    );
  });
});
