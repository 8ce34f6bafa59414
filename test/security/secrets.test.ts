import { expect, test } from "bun:test";
import { z } from "zod";
import { readSource } from "../../scripts/check/source.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import type { Reply } from "../wire/send.ts";
import { useStore } from "../wire/server.ts";
import { CONSOLE, MESSAGES, STORE } from "./operations.ts";

// A response that contains a secret must not be stored by the browser, or by a cache between the service and the browser.

const server = useStore();

const SECRET = /^(token|secret|password|cookie|link)$/i;

const SOURCE = (await readSource()).filter(({ path }) => path.startsWith("src/")).map(({ text }) => text);

/** Returns true if the response of a console operation has a member that is named like a secret, such as `token`. */
function namesSecret(id: string): boolean {
  const declaration = new RegExp(`\\b${id}: \\{.*?success: \\{.*?z\\.custom<(.*?)>\\(\\)`, "s");
  const named = SOURCE.flatMap((text) => declaration.exec(text)?.[1]?.match(/\w+/g) ?? []);
  return SOURCE.flatMap((text) => [...text.matchAll(/interface (\w+)[^{]*\{(.*?)\n\}/gs)]).some(
    ([, name = "", members = ""]) =>
      named.includes(name) && (members.match(/\w+(?=\??:)/g) ?? []).some((member) => SECRET.test(member)),
  );
}

/** Returns true if the response of an operation has a member, at any depth, that is named like a secret. */
function hasSecret({ id, success: { schema } }: Operation): boolean {
  if (schema === undefined) return false;
  if (schema instanceof z.ZodCustom) return namesSecret(id);
  let isFound = false;
  JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any" }), (_, value) => {
    isFound ||= Object.keys(value?.properties ?? {}).some((name) => SECRET.test(name));
    return value;
  });
  return isFound;
}

/** Requests that an owner can make, keyed by operation. Each of the responses contains a secret. */
const REQUESTS: Readonly<Record<string, unknown>> = {
  "POST /session/transfer-token": undefined,
  "POST /keys": { name: "k" },
  "POST /keys/one-hour": undefined,
  "POST /keys/{keyId}/rotate": {},
  "POST /invitations": { email: "grace@example.com", role: "staff" },
  "POST /accounts/{accountId}/reset-link": undefined,
  "POST /webhooks": { url: "https://hooks.example.com" },
  "POST /webhooks/{webhookId}/rotate-secret": {},
};

test("every operation whose response contains a secret belongs to the console or declares it, and is called below", () => {
  // If this assertion fails, give the new operation `success.secret`, or put it in a route group without `idempotency`, whose
  // responses all have `Cache-Control: no-store`.
  const programs = [...STORE, ...MESSAGES].filter(hasSecret);
  expect(programs.filter(({ success }) => success.secret === undefined)).toEqual([]);
  const found = [...CONSOLE.filter(hasSecret), ...programs].map(({ method, path }) => `${method} ${path}`);
  expect(found.sort()).toEqual(Object.keys(REQUESTS).sort());
});

test("every such response, and every response that sets a cookie or is about a person, carries no-store", async () => {
  const ada = await signUp(server, "ada@example.com");
  const expectNotStored = (what: string, { status, headers }: Reply) =>
    expect([what, status < 300, headers.get("Cache-Control")]).toEqual([what, true, "no-store"]);
  const { id } = (await ada.call("POST /keys", { name: "k" })).json.key;
  // The first account belongs to the local operator, so the owner's account has the number 2.
  const ids: Readonly<Record<string, string>> = { keyId: id, accountId: "2", webhookId: "1" };
  for (const [request, body] of Object.entries(REQUESTS)) {
    const path = request.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? "");
    expectNotStored(request, await ada.call(path, body));
  }
  for (const request of ["GET /session", "GET /account/sessions", "GET /keys", "GET /invitations"])
    expectNotStored(request, await ada.call(request));
  const signIn = await openBrowserSession(server).call("POST /session", {
    email: "ada@example.com",
    password: PASSWORD,
  });
  expect(signIn.headers.get("Set-Cookie")).not.toBeNull();
  expectNotStored("POST /session", signIn);
  expectNotStored("DELETE /session", await ada.call("DELETE /session"));
});
