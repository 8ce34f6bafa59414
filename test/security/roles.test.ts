import { beforeAll, expect, test } from "bun:test";
import type { Operation, Role } from "../../src/contract/operation.ts";
import { accountId, type BrowserSession, PASSWORD, signIn, signUp } from "../wire/browser-session.ts";
import { petstore } from "../wire/process.ts";
import { type Reply, send, sendHeldBody } from "../wire/send.ts";
import { makeKey, onBothEngines, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { CONSOLE, MESSAGES, STORE } from "./operations.ts";

// Calls every operation in every role, both with a session and with API keys of each access level.

const ROLES = ["viewer", "staff", "owner"] as const;

const OWNERS = [
  ...["listAccounts", "setRole", "removeAccount", "createResetLink", "listAllKeys", "listAuditEntries"],
  ...["listInvitations", "createInvitation", "withdrawInvitation", "listUnsentMails", "redeliverMail"],
  ...["listWebhooks", "createWebhook", "getWebhook", "updateWebhook", "deleteWebhook"],
  ...["rotateWebhookSecret", "testWebhook", "listDeliveries", "getDelivery", "redeliver"],
];
/**
 * Operations that every role may call: those on a person's own account and keys, and those with a link that the person has
 * received.
 */
const EVERYBODYS = [
  ...["createTransferToken", "transferSession"],
  ...["signIn", "signUp", "signOut", "changePassword", "endSession", "deleteAccount"],
  ...["beginPasskey", "addPasskey", "removePasskey", "beginPasskeySignIn", "signInWithPasskey"],
  ...["beginIdentity", "removeIdentity", "beginProviderSignIn", "endProviderSignIn", "signOutAtProvider"],
  "requestReset",
  ...[
    "createKey",
    "createOneHourKey",
    "rotateKey",
    "revokeKey",
    "readInvitation",
    "acceptInvitation",
    "useResetLink",
  ],
];

/** The only changes that an API key with the access level `sell` may make. */
const SELLING = ["placeOrder", "completeOrder", "cancelOrder"];

/**
 * Returns the role that an operation should require, without using the code under test. Viewers may read, and staff may make
 * changes.
 */
function leastRole({ id, method }: Operation): Role {
  if (OWNERS.includes(id)) return "owner";
  return method === "GET" || EVERYBODYS.includes(id) ? "viewer" : "staff";
}

const isAllowed = (operation: Operation, role: Role) =>
  ROLES.indexOf(role) >= ROLES.indexOf(leastRole(operation));
const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, "999999");
const bodyOf = ({ body }: Operation) => (body === undefined ? {} : { body: "{}" });
const emailOf = (role: Role) => `${role}@example.com`;

onBothEngines((tools) => {
  const server = tools.useStore();
  let owner: BrowserSession;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    for (const role of ["owner", "staff", "viewer"] as const) {
      const person = await signUp(server, emailOf(role));
      if (role === "owner") owner = person;
      for (const access of ["read", "sell", "read-write"]) {
        const { token } = (await person.call("POST /keys", { name: "k", access })).json;
        keys[`${role} ${access}`] = token;
      }
    }
    expect((await setRole("viewer", "viewer")).status).toBe(200);
  });

  async function setRole(whose: Role, role: Role): Promise<Reply> {
    return owner.call(`PATCH /accounts/${await accountId(owner, emailOf(whose))}`, { role });
  }

  const verdictOf = (what: string, reply: Reply) => [
    what,
    reply.status === 403 ? reply.json.code : reply.status < 500 ? "allowed" : reply.body,
  ];

  for (const role of ROLES) {
    test(`every operation of the console, asked by ${role}`, async () => {
      const person = await signIn(server, emailOf(role));
      for (const operation of [...STORE, ...MESSAGES, ...CONSOLE]) {
        const what = `${role} ${operation.id}`;
        const reply = await person.call(
          `${operation.method} ${pathOf(operation)}`,
          operation.body === undefined ? undefined : {},
        );
        expect(verdictOf(what, reply)).toEqual([what, isAllowed(operation, role) ? "allowed" : "forbidden"]);
        if (operation.method === "GET" && isAllowed(operation, role)) expect(reply.status).not.toBe(401);
      }
    });

    for (const access of ["read", "sell", "read-write"]) {
      test(`every operation of the services, asked with a ${access} key of ${role}`, async () => {
        for (const [operations, base] of [
          [STORE, server.production],
          [MESSAGES, server.messages],
        ] as const) {
          for (const operation of operations) {
            const what = `${role} ${access} ${operation.id}`;
            const key = keys[`${role} ${access}`] ?? "";
            const reply = await send(operation.method, base + pathOf(operation), {
              key,
              ...bodyOf(operation),
            });
            const reads = operation.method === "GET" && operation.id !== "getTestClock";
            const sells = access === "sell" && SELLING.includes(operation.id);
            const allowed = isAllowed(operation, role) && (reads || sells || access === "read-write");
            expect(verdictOf(what, reply)).toEqual([what, allowed ? "allowed" : "forbidden"]);
          }
        }
      });
    }
  }

  test("a viewer can only create keys that read", async () => {
    const viewer = await signIn(server, emailOf("viewer"));
    const refused = await viewer.call("POST /keys", { name: "k", access: "read-write" });
    expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
    expect((await viewer.call("POST /keys", { name: "k", access: "read" })).status).toBe(201);
    const created = await petstore(server.store, [
      ...["keys", "create", "--environment", "production", "--account", emailOf("viewer")],
    ]);
    expect([created.code, created.err]).toEqual([1, expect.stringContaining("can only read")]);
  });

  test("a role changed by another process takes effect for keys and sessions", async () => {
    const staff = await signIn(server, emailOf("staff"));
    const key = keys["staff read-write"] ?? "";
    const add = () => send("POST", `${server.production}/pets`, { key, body: '{"name":"a","categoryId":1}' });
    expect((await add()).status).toBe(201);
    const demoted = await petstore(server.store, ["accounts", "role", emailOf("staff"), "viewer"]);
    expect([demoted.code, demoted.err]).toEqual([0, expect.stringContaining("is viewer now")]);
    expect((await staff.call("POST /pets", { name: "a", categoryId: 1 })).status).toBe(403);
    let reply = await add();
    for (const deadline = performance.now() + 10_000; reply.status === 201 && performance.now() < deadline; )
      reply = await add();
    expect(reply.status).toBe(403);
    expect(reply.json.message).toBe(
      "The account of this API key has the role viewer, but this operation needs staff.",
    );
    expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
    expect((await setRole("staff", "staff")).status).toBe(200);
    expect((await add()).status).toBe(201);
  });

  test("no animal is added if the role, session or key ends while the body arrives", async () => {
    const person = await signUp(server, "slow@example.com");
    const { token: key, key: made } = (await person.call("POST /keys", { name: "k" })).json;
    const [{ id }] = await owner.read("/accounts");
    const { host } = new URL(server.production);
    const post = (path: string, ...lines: readonly string[]) =>
      sendHeldBody(server.production, [
        `POST ${path} HTTP/1.1`,
        `Host: ${host}`,
        ...lines,
        "Content-Type: application/json",
        "Content-Length: 27",
        "Connection: close",
      ]);
    const withKey = ["/v1/pets", `Authorization: Bearer ${key}`] as const;
    const withSession = [
      "/console/api/pets",
      `Origin: http://${host}`,
      `Cookie: ${person.cookie()}`,
    ] as const;
    const endAfter = async (change: () => Promise<unknown>, ...lines: readonly [string, ...string[]]) => {
      const sending = post(...lines);
      await sending.begun;
      // Once this later request has been answered, the service has read the headers of the earlier one.
      await owner.call("GET /session");
      await change();
      return (await sending.end('{"name":"x","categoryId":1}')).split(" ")[1];
    };
    const demote = () => owner.call(`PATCH /accounts/${id}`, { role: "viewer" });
    const promote = () => owner.call(`PATCH /accounts/${id}`, { role: "staff" });
    expect(await endAfter(demote, ...withKey)).toBe("403");
    await promote();
    expect(await endAfter(demote, ...withSession)).toBe("403");
    await promote();
    expect(await endAfter(() => person.call("DELETE /session"), ...withSession)).toBe("401");
    expect(await endAfter(() => owner.call(`DELETE /keys/${made.id}`), ...withKey)).toBe("401");
  });

  test("an owner sees and revokes everybody's keys; others only their own", async () => {
    const viewer = await signIn(server, emailOf("viewer"));
    const { key, token } = (await viewer.call("POST /keys", { name: "till", access: "read" })).json;
    expect((await (await signIn(server, emailOf("staff"))).call(`DELETE /keys/${key.id}`)).status).toBe(404);
    const all = await owner.read("/keys/all");
    expect(all).toContainEqual(expect.objectContaining({ id: key.id, account: emailOf("viewer") }));
    expect((await owner.call(`DELETE /keys/${key.id}`)).status).toBe(204);
    expect((await send("GET", `${server.production}/pets`, { key: token })).status).toBe(401);
  });

  test("the last owner can be neither demoted, removed, nor delete the account", async () => {
    const { id } = (await owner.read("/accounts")).at(-1);
    for (const reply of [
      await owner.call(`PATCH /accounts/${id}`, { role: "viewer" }),
      await owner.call(`DELETE /accounts/${id}`),
      await owner.call("POST /account/delete", { password: PASSWORD }),
    ])
      expect(reply.json).toEqual({
        code: "conflict",
        status: 409,
        message: "owner@example.com is the last owner. Make another account an owner first.",
      });
    expect((await petstore(server.store, ["accounts", "role", emailOf("owner"), "staff"])).code).toBe(1);
    expect((await owner.call("GET /accounts")).status).toBe(200);
  });

  test("a removed account's sessions and keys are refused at once", async () => {
    const leaver = await signUp(server, "leaver@example.com");
    const { token } = (await leaver.call("POST /keys", { name: "k" })).json;
    expect((await send("GET", `${server.production}/pets`, { key: token })).status).toBe(200);
    const [{ id, role }] = await owner.read("/accounts");
    expect(role).toBe("staff");
    expect((await owner.call(`DELETE /accounts/${id}`)).status).toBe(204);
    expect((await send("GET", `${server.production}/pets`, { key: token })).status).toBe(401);
    expect((await leaver.call("GET /pets")).status).toBe(401);
    expect((await owner.call(`DELETE /accounts/${id}`)).status).toBe(404);
  });
});

test("a stranger can neither read nor change anything on a public deployment", async () => {
  const store = await freshEmbeddedStore();
  const server = await startServer({ store, env: { PETSTORE_SIGN_UP: "", PETSTORE_HOST: "0.0.0.0" } });
  const key = await makeKey(store);
  await send("POST", `${server.production}/pets`, { key, body: '{"name":"Fluffy","categoryId":1}' });
  const { origin } = new URL(server.production);
  const credentials = { email: "stranger@example.com", password: PASSWORD, token: "a".repeat(43) };
  for (const [operations, base] of [
    [STORE, server.production],
    [STORE, server.staging],
    [MESSAGES, server.messages],
    [[...STORE, ...MESSAGES, ...CONSOLE], `${origin}/console/api`],
  ] as const) {
    for (const operation of operations) {
      const { id, method } = operation;
      const body = operation.body === undefined ? {} : { body: JSON.stringify(credentials) };
      const reply = await send(method, base + pathOf(operation), { headers: { Origin: origin }, ...body });
      expect([id, reply.body]).not.toEqual([id, expect.stringContaining("Fluffy")]);
      const inConsole = base.endsWith("/console/api") ? FOR_STRANGERS[id] : undefined;
      expect([base, id, reply.status]).toEqual([base, id, inConsole ?? 401]);
    }
  }
  const accounts = await petstore(store, ["accounts", "list", "--json"]);
  expect(JSON.parse(accounts.out).map(({ email }: { email: string }) => email)).toEqual([
    "operator@localhost",
  ]);
  expect((await send("GET", `${server.production}/pets?limit=2`, { key })).body).toContain("Fluffy");
  await server.stop();
});

/**
 * The expected statuses of operations that are called without a session. The response of `getSession` contains neither an account
 * nor data.
 */
const FOR_STRANGERS: Readonly<Record<string, number>> = {
  getSession: 200,
  signIn: 401,
  signUp: 403,
  readInvitation: 404,
  acceptInvitation: 404,
  useResetLink: 404,
  // The response is a challenge for a passkey. It contains no data from the store.
  beginPasskeySignIn: 201,
  signInWithPasskey: 400,
  // The store in this test has neither an identity provider nor a mail server.
  beginProviderSignIn: 404,
  endProviderSignIn: 400,
  signOutAtProvider: 200,
  requestReset: 404,
};
