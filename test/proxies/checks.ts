import { strictEqual as equal, match, ok } from "node:assert";
import { type Answer, type Ask, curl, type Front } from "./curl.ts";

/** The way to a service through a proxy. */
export interface Way {
  readonly front: Front;
  /** Public addresses: `https://pets.example.com:41234`. */
  readonly origin: string;
  readonly messages: string;
  /** An API key of production. */
  readonly key: string;
}

export interface Check {
  readonly title: string;
  run(way: Way): Promise<void>;
}

const PASSWORD = "nine gentle otters";
const PET = '{"name":"Fluffy","categoryId":9007199254740993}';

function call(way: Way, path: string, ask: Ask = {}): Promise<Answer> {
  const headers = { Authorization: `Bearer ${way.key}`, "Content-Type": "application/json", ...ask.headers };
  return curl(way.front, `${way.origin}/v1${path}`, { ...ask, headers });
}

function fromPage(way: Way, path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
  const headers = { Origin: way.origin, "Content-Type": "application/json", ...ask.headers };
  return curl(way.front, `${way.origin}/console/api${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...ask,
    headers,
  });
}

function header(answer: Answer, name: string): string {
  const values = answer.headers.get(name) ?? [];
  equal(values.length, 1, `${name} came ${values.length} times`);
  return values[0] ?? "";
}

/** Wrong passwords from an address, until it is told to wait. @returns the last status */
async function guess(way: Way, email: string, from: string, times: number, ask: Ask = {}): Promise<number> {
  let status = 0;
  for (let count = 0; count < times && status !== 429; count++) {
    ({ status } = await fromPage(way, "/session", { email, password: "wrong" }, { from, ...ask }));
  }
  return status;
}

export const CHECKS: readonly Check[] = [
  {
    title: "somebody signs up in the console, and the cookie is for https alone",
    async run(way) {
      const page = await curl(way.front, `${way.origin}/`);
      equal(page.status, 200);
      const answer = await fromPage(way, "/accounts", { email: "ada@example.com", password: PASSWORD });
      equal(answer.status, 201, answer.body);
      match(header(answer, "set-cookie"), /; Secure/);
    },
  },
  {
    title: "another site's page changes nothing",
    async run(way) {
      const headers = { Origin: "https://elsewhere.example.com" };
      equal((await fromPage(way, "/session", {}, { headers })).status, 403);
    },
  },
  {
    title: "integers of 64 bits, Location and Link with the public address",
    async run(way) {
      const created = await call(way, "/pets", { method: "POST", body: PET });
      equal(created.status, 201, created.body);
      match(created.body, /"categoryId":9007199254740993[,}]/);
      ok(header(created, "location").startsWith(`${way.origin}/v1/pets/`));
      await call(way, "/pets", { method: "POST", body: PET });
      const page = await call(way, "/pets?limit=1");
      const next = /^<([^>]+)>; rel="next"/.exec(header(page, "link"))?.[1] ?? "";
      ok(next.startsWith(`${way.origin}/v1/pets?`), next);
      equal((await call(way, next.slice(`${way.origin}/v1`.length))).status, 200);
    },
  },
  {
    title: "a body that is too large is refused in the service's words, whoever refuses it",
    async run(way) {
      const refuse = async (bytes: number, ask: Ask) => {
        const { status, body } = await call(way, "/pets", {
          method: "POST",
          body: "x".repeat(bytes),
          ...ask,
        });
        equal(status, 413, `${bytes} bytes: ${status} ${body}`);
        match(body, /^\{"code":"payload_too_large",/);
      };
      for (const bytes of [70_000, 200_000, 990_000]) {
        await refuse(bytes, {});
        await refuse(bytes, { headers: { "Transfer-Encoding": "chunked" } });
      }
      for (const bytes of [1_030_000, 16_500_000]) await refuse(bytes, { asksFirst: true });
    },
  },
  {
    title: "an Idempotency-Key and an X-Request-Id arrive, and the replay says what it is",
    async run(way) {
      const headers = { "Idempotency-Key": crypto.randomUUID(), "X-Request-Id": "seen-by-both" };
      const first = await call(way, "/pets", { method: "POST", body: PET, headers });
      const second = await call(way, "/pets", { method: "POST", body: PET, headers });
      equal(second.body, first.body);
      equal(header(second, "idempotent-replayed"), "true");
      equal(header(second, "x-request-id"), "seen-by-both");
    },
  },
  {
    title: "an ETag is answered with 304, also for what the proxy may compress",
    async run(way) {
      const page = await call(way, "/pets");
      const again = await call(way, "/pets", { headers: { "If-None-Match": header(page, "etag") } });
      equal(again.status, 304);
    },
  },
  {
    title: "who guesses passwords is slowed by the address it comes from, whatever it says that it forwards",
    async run(way) {
      const email = "grace@example.com";
      const signedUp = await fromPage(way, "/accounts", { email, password: PASSWORD });
      equal(signedUp.status, 201, signedUp.body);
      equal(await guess(way, email, "127.0.0.2", 12), 429);
      const forged = { headers: { "X-Forwarded-For": "198.51.100.7" } };
      // Another address would have five tries free.
      equal(await guess(way, email, "127.0.0.2", 4, forged), 429);
      equal(await guess(way, email, "127.0.0.3", 1), 401);
    },
  },
  {
    title: "HSTS and the other header lines of the service come once, on every service",
    async run(way) {
      for (const address of [`${way.origin}/`, `${way.origin}/v1/pets`, `${way.messages}/messages`]) {
        const answer = await curl(way.front, address);
        match(header(answer, "strict-transport-security"), /^max-age=\d+$/);
        header(answer, "x-content-type-options");
        header(answer, "content-security-policy");
        header(answer, "date");
      }
    },
  },
  {
    title: "http leads to https, with the method kept",
    async run({ front, origin }) {
      const { hostname } = new URL(origin);
      const answer = await curl(front, `http://${hostname}:${front.httpPort}/v1/pets`, { method: "POST" });
      equal(answer.status, 308);
      ok(header(answer, "location").startsWith(`https://${hostname}`));
    },
  },
  {
    title: "metrics are not to be had",
    async run(way) {
      for (const address of [`${way.origin}/metrics`, `${way.messages}/metrics`]) {
        const answer = await curl(way.front, address);
        ok([401, 404].includes(answer.status), String(answer.status));
        ok(!answer.body.includes("petstore_build_info"));
      }
    },
  },
  {
    title: "the reference and every part of the pages arrive",
    async run(way) {
      for (const path of ["/", "/docs"]) {
        const { body } = await curl(way.front, way.origin + path);
        const parts = [...body.matchAll(/(?:src|href)="(\/[^"#]+)"/g)].map(([, to = ""]) => to);
        ok(parts.length > 2);
        for (const part of parts) equal((await curl(way.front, way.origin + part)).status, 200, part);
      }
    },
  },
];
