import { expect, test } from "bun:test";
import { openBrowserSession, PASSWORD } from "./browser-session.ts";
import { serveOnTerminal } from "./on-terminal.ts";
import { petstore, startProcess } from "./process.ts";
import { type Reply, send, sendLines } from "./send.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Sign-up without PETSTORE_SIGN_UP, and the startup line about it.

const UNSET = { PETSTORE_SIGN_UP: "" };
const outcomeOf = ({ status, body }: Reply) => [status, JSON.parse(body).code];

test("unset and on loopback: browsers of this machine sign up, forwarded ones do not", async () => {
  const store = await freshEmbeddedStore();
  const server = await startProcess({ store, env: UNSET });
  const { origin, host, port } = new URL(server.production);
  let people = 0;
  const signUp = (headers: Record<string, string>) =>
    send("POST", `${origin}/console/api/accounts`, {
      headers: { Origin: origin, ...headers },
      body: JSON.stringify({ email: `p${++people}@example.com`, password: PASSWORD }),
    });
  for (const [name, value] of [
    ["X-Forwarded-For", "127.0.0.1"],
    ["X-Forwarded-Host", host],
    ["Forwarded", "for=127.0.0.1"],
    ["X-Real-IP", "127.0.0.1"],
    ["Via", "1.1 proxy"],
    ["Connection", "close"],
  ] as const)
    expect([name, ...outcomeOf(await signUp({ [name]: value }))]).toEqual([name, 403, "forbidden"]);
  const rebound = await sendLines(server.production, "GET /console/api/session", [
    `Host: evil.example:${port}`,
  ]);
  expect(JSON.parse(rebound.body).signUp).toBe("invite");
  const local = await send("GET", `${origin}/console/api/session`);
  expect(JSON.parse(local.body).signUp).toBe("open");
  const made = await signUp({});
  expect([made.status, JSON.parse(made.body).role]).toEqual([201, "owner"]);
  expect(JSON.parse((await signUp({})).body).role).toBe("staff");
  await server.stop();
  expect(server.log()).toContain("sign-up is open to browsers on this machine");
  expect(server.log()).toContain("there is no owner yet: the first account is an owner's");
  expect(await server.errors()).toBe("");
});

test.each([
  { PETSTORE_HOST: "0.0.0.0" },
  { PETSTORE_METRICS_HOST: "0.0.0.0" },
  { PETSTORE_PRODUCTION_URL: "https://pets.example.com/v1" },
  { PETSTORE_MESSAGES_URL: "https://messages.example.com" },
  { PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8" },
])("unset, with %j: by invitation alone, as doctor and the start say", async (env) => {
  const store = await freshEmbeddedStore();
  const server = await startProcess({ store, env: { ...UNSET, ...env } });
  const { origin } = new URL(server.production);
  const refused = await send("POST", `${origin}/console/api/accounts`, {
    headers: { Origin: origin },
    body: JSON.stringify({ email: "a@example.com", password: PASSWORD }),
  });
  expect(outcomeOf(refused)).toEqual([403, "forbidden"]);
  await server.stop();
  expect(server.log()).toContain("sign-up is by invitation");
  expect(server.log()).toMatch(
    /"command":"petstore accounts invite --role owner --production-url http\S+\/v1 --data-dir .*"there is no owner yet/,
  );
  const doctor = await petstore(store, ["doctor"], { env: { ...UNSET, ...env } });
  expect(doctor.out).toContain("ok    sign up: by invitation");
});

test("open to everybody is a warning of doctor's, where others can reach the service", async () => {
  const doctor = async (env: Record<string, string>) =>
    (await petstore(await freshEmbeddedStore(), ["doctor"], { env })).out;
  expect(await doctor({ PETSTORE_SIGN_UP: "open" })).toContain("ok    sign up: open");
  expect(await doctor({ PETSTORE_SIGN_UP: "open", PETSTORE_HOST: "0.0.0.0" })).toContain(
    "warn  sign up: open",
  );
});

test("on a terminal the start prints the first invitation, which the log never has; with an owner it does not", async () => {
  const store = await freshEmbeddedStore();
  const log = `${store.dataDir}/serve.log`;
  const start = () =>
    serveOnTerminal(store, { shell: 'exec "$@" > "$LOG"', env: { LOG: log, PETSTORE_SIGN_UP: "invite" } });
  const first = await start();
  const [, origin = "", token = ""] =
    /(http:\/\/localhost:\d+)\/invitation#([0-9A-Za-z]{43})/.exec(first.screen()) ?? [];
  const server = { production: first.address("production"), staging: first.address("staging") };
  const browser = openBrowserSession(server);
  expect(origin).toBe(new URL(server.production).origin);
  const accepted = await browser.call("POST /invitation/accept", {
    ...{ token, email: "owner@example.com", password: PASSWORD },
  });
  expect([accepted.status, JSON.parse(accepted.body).role]).toEqual([201, "owner"]);
  await first.stop();
  expect(await Bun.file(log).text()).toContain("the command prints the first invitation");
  expect(await Bun.file(log).text()).not.toContain(token);
  const second = await start();
  await second.stop();
  expect(second.screen()).not.toMatch(/\/invitation#|no owner yet/);
  expect(await Bun.file(log).text()).not.toContain("no owner yet");
});
