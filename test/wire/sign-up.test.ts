import { expect, test } from "bun:test";
import { openBrowserSession, PASSWORD } from "./browser-session.ts";
import { serveOnTerminal } from "./on-terminal.ts";
import { PROGRAM, petstore, startProcess } from "./process.ts";
import { type Reply, send } from "./send.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests sign-up with different values of PETSTORE_SIGN_UP, including its default, and what the service prints about sign-up when it
// starts.

const DEFAULT = { PETSTORE_SIGN_UP: "" };
const outcomeOf = ({ status, json }: Reply) => [status, json.code];
const LINK = /(http:\/\/localhost:\d+)\/invitation#([0-9A-Za-z]{43})/;

/**
 * Headers that make a stranger's request look as if it came from a browser on this machine. Each set of headers is named after the
 * kind of proxy that produces it.
 */
const LOOKS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ["none", { Host: "localhost:PORT" }],
  ["haproxy or socat, with the stranger's Host", { Host: "localhost" }],
  ["nginx up to 1.29.6", { Host: "127.0.0.1:PORT", Connection: "close" }],
  ["nginx with keep-alive, and from 1.29.7 on", { Host: "127.0.0.1:PORT" }],
  ["nginx that names its client", { Host: "127.0.0.1:PORT", "X-Real-IP": "127.0.0.1" }],
  ["Apache with ProxyAddHeaders Off", { Host: "127.0.0.1:PORT", Connection: "Keep-Alive" }],
  ["one that adds everything", { Host: "[::1]:PORT", "X-Forwarded-For": "127.0.0.1", Via: "1.1 proxy" }],
];

test("whatever a request looks like, it creates no account; the log names a command that makes the owner's link", async () => {
  const store = await freshEmbeddedStore();
  const server = await startProcess({ store, env: DEFAULT });
  const { origin, port } = new URL(server.production);
  for (const [name, { Host = "", ...others }] of LOOKS) {
    const headers = { ...others, Host: Host.replace("PORT", port) };
    const seen = await send("GET", `${origin}/console/api/session`, { headers });
    const { signUp, hasOwner, api } = seen.json;
    expect([name, signUp, hasOwner]).toEqual([name, "invite", false]);
    const body = JSON.stringify({ email: "eve@example.com", password: PASSWORD, token: "a".repeat(43) });
    for (const [path, ...outcome] of [
      ["/accounts", 403, "forbidden"],
      ["/invitation/accept", 404, "not_found"],
    ] as const) {
      // Requests from the origin of the `api` address pass the service's origin check.
      const from = { ...headers, Origin: new URL(api).origin };
      const refused = await send("POST", `${origin}/console/api${path}`, { headers: from, body });
      expect([name, path, ...outcomeOf(refused)]).toEqual([name, path, ...outcome]);
    }
  }
  expect(server.log()).toContain("sign-up is by invitation");
  const [, command = ""] =
    /"command":"([^"]+)","msg":"there is no owner yet: this command prints a link that creates the owner's account"/.exec(
      server.log(),
    ) ?? [];
  const pasted = Bun.spawnSync(["bash", "-c", command], { cwd: "/", env: { PATH: process.env["PATH"] } });
  const [, linked, token = ""] = LINK.exec(pasted.stdout.toString()) ?? [];
  expect([linked, pasted.stderr.toString()]).toEqual([
    origin,
    expect.stringContaining("The store has no owner yet, so the new account will be the owner."),
  ]);
  const owner = openBrowserSession(server);
  const accepted = await owner.call("POST /invitation/accept", {
    ...{ token, email: "owner@example.com", password: PASSWORD },
  });
  expect(accepted).toMatchObject({ status: 201, json: { role: "owner" } });
  expect((await send("GET", `${origin}/console/api/session`)).json.hasOwner).toBe(true);
  await server.stop();
  expect([server.log(), await server.errors()]).toEqual([expect.not.stringContaining("#"), ""]);
});

test("open is a warning of every start and of doctor's, which name the setting", async () => {
  const store = await freshEmbeddedStore();
  const env = { PETSTORE_SIGN_UP: "open" };
  const server = await startProcess({ store, env });
  const warned = () => server.log().match(/"level":"warn".*PETSTORE_SIGN_UP is open/g)?.length;
  const made = await openBrowserSession(server).call("POST /accounts", {
    ...{ email: "first@example.com", password: PASSWORD },
  });
  expect([warned(), made.status, made.json.role]).toEqual([1, 201, "owner"]);
  await server.stop();
  expect(server.log()).toContain(
    "there is no owner yet: whoever creates the first account becomes the owner",
  );
  const doctor = async (set: Record<string, string>) => (await petstore(store, ["doctor"], { env: set })).out;
  expect(await doctor(env)).toMatch(/^warn {2}sign up: open: .* Set PETSTORE_SIGN_UP=invite/m);
  expect(await doctor(DEFAULT)).toContain("ok    sign up: by invitation");
});

test("on a terminal each start prints an owner's link, until there is an owner; the log never has one", async () => {
  const store = await freshEmbeddedStore();
  const log = `${store.dataDir}/serve.log`;
  const start = () => serveOnTerminal(store, { shell: 'exec "$@" > "$LOG"', env: { ...DEFAULT, LOG: log } });
  const first = await start();
  const [, origin, earlier = ""] = LINK.exec(first.screen()) ?? [];
  expect(origin).toBe(new URL(first.address("production")).origin);
  await first.stop();
  const second = await start();
  const [, , token = ""] = LINK.exec(second.screen()) ?? [];
  const server = { production: second.address("production"), staging: second.address("staging") };
  const accept = (link: string, email: string) =>
    openBrowserSession(server).call("POST /invitation/accept", { token: link, email, password: PASSWORD });
  const read = await openBrowserSession(server).call("POST /invitation/read", { token: earlier });
  expect(read).toMatchObject({ status: 200, json: { role: "owner" } });
  const accepted = await accept(token, "owner@example.com");
  expect(accepted).toMatchObject({ status: 201, json: { role: "owner" } });
  expect(await accept(earlier, "eve@example.com")).toMatchObject({
    status: 404,
    json: { code: "not_found" },
  });
  await second.stop();
  expect(await Bun.file(log).text()).toContain("this command prints a link");
  for (const secret of [earlier, token]) expect(await Bun.file(log).text()).not.toContain(secret);
  const third = await start();
  await third.stop();
  expect(third.screen()).not.toMatch(/\/invitation#|no owner yet/);
  expect(await Bun.file(log).text()).not.toContain("no owner yet");
});

test.if(process.platform === "linux")(
  "on a container's terminal, which is its log, the command is named instead",
  async () => {
    const container = ["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
    // If the tests run in a container, that container may not allow a nested one. The test is then skipped.
    if (!Bun.spawnSync([...container, "true"]).success) return;
    // The terminal session of the service begins either inside the container, as with runc, or outside of it.
    for (const begin of [["setsid"], []]) {
      const command = [...container, ...begin, ...PROGRAM.command];
      const service = await serveOnTerminal(await freshEmbeddedStore(), {
        program: { ...PROGRAM, command },
        env: DEFAULT,
      });
      service.kill();
      await service.exited;
      expect(service.screen()).toMatch(
        /There is no owner yet: this command prints a link.*\s+\S+ accounts invite /,
      );
      expect(service.screen()).not.toContain("/invitation#");
    }
  },
);
