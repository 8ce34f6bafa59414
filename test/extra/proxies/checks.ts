import { strictEqual as equal, match, ok } from "node:assert";
import { cutsOf, FRAMINGS, type FramingTarget, findContradictions } from "../../abuse/framings.ts";
import { openRawConnection } from "../../abuse/raw-http.ts";
import { type Answer, type CurlOptions, curl, type ProxyAddress } from "./curl.ts";

/** A service that runs behind a proxy. */
export interface Target {
  readonly proxy: ProxyAddress;
  /** The public address of the service, such as `https://pets.example.com:41234`. */
  readonly origin: string;
  readonly messages: string;
  readonly key: string;
  /** Resolves to the token of a link for creating one account. The first account is the owner's. */
  invite(): Promise<string>;
}

export interface Check {
  readonly title: string;
  run(target: Target): Promise<void>;
}

const PASSWORD = "nine gentle otters";
const PET = '{"name":"Fluffy","categoryId":9007199254740993}';

function call(target: Target, path: string, options: CurlOptions = {}): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${target.key}`,
    "Content-Type": "application/json",
    ...options.headers,
  };
  return curl(target.proxy, `${target.origin}/v1${path}`, { ...options, headers });
}

function fromPage(target: Target, path: string, body: unknown, options: CurlOptions = {}): Promise<Answer> {
  const headers = { Origin: target.origin, "Content-Type": "application/json", ...options.headers };
  return curl(target.proxy, `${target.origin}/console/api${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...options,
    headers,
  });
}

function header(answer: Answer, name: string): string {
  const values = answer.headers.get(name) ?? [];
  equal(values.length, 1, `${name} came ${values.length} times`);
  return values[0] ?? "";
}

/**
 * Sends wrong passwords from an address until the service answers 429.
 *
 * @returns the last status
 */
async function guess(
  target: Target,
  email: string,
  from: string,
  times: number,
  options: CurlOptions = {},
): Promise<number> {
  let status = 0;
  for (let count = 0; count < times && status !== 429; count++) {
    ({ status } = await fromPage(target, "/session", { email, password: "wrong" }, { from, ...options }));
  }
  return status;
}

async function storedNames(target: Target): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let path: string | undefined = "/pets?limit=100"; path !== undefined; ) {
    const page = await call(target, path);
    for (const { name } of JSON.parse(page.body)) names.add(name);
    path = /\/v1([^>]+)>; rel="next"/.exec(page.headers.get("link")?.join() ?? "")?.[1];
  }
  return names;
}

/** A check that runs for every proxy, even if deploy/ contains no example for it. */
export const FRAMING_CHECK: Check = {
  title: "no request that is stored is refused, whatever follows it, cut at every byte",
  async run(target) {
    const { host } = new URL(target.origin);
    const known = `Authorization: Bearer ${target.key}\r\nContent-Type: application/json\r\n`;
    const framed: FramingTarget = {
      lines: `POST /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${known}`,
      open: (bytes) => openRawConnection(target.origin, bytes),
      storedNames: () => storedNames(target),
    };
    for (const framing of FRAMINGS) {
      equal(
        (await findContradictions(framed, framing, [0, ...cutsOf(framing, framed, "whole")])).join("\n"),
        "",
      );
    }
  },
};

export const CHECKS: readonly Check[] = [
  FRAMING_CHECK,
  {
    title: "the owner's link works in the console, and its cookie is for https alone",
    async run(target) {
      const page = await curl(target.proxy, `${target.origin}/`);
      equal(page.status, 200);
      const ada = { token: await target.invite(), email: "ada@example.com", password: PASSWORD };
      const answer = await fromPage(target, "/invitation/accept", ada);
      equal(answer.status, 201, answer.body);
      equal(JSON.parse(answer.body).role, "owner");
      match(header(answer, "set-cookie"), /; Secure/);
    },
  },
  {
    title: "another site's page changes nothing",
    async run(target) {
      const headers = { Origin: "https://elsewhere.example.com" };
      equal((await fromPage(target, "/session", {}, { headers })).status, 403);
    },
  },
  {
    title: "integers of 64 bits, Location and Link with the public address",
    async run(target) {
      const created = await call(target, "/pets", { method: "POST", body: PET });
      equal(created.status, 201, created.body);
      match(created.body, /"categoryId":9007199254740993[,}]/);
      ok(header(created, "location").startsWith(`${target.origin}/v1/pets/`));
      await call(target, "/pets", { method: "POST", body: PET });
      const page = await call(target, "/pets?limit=1");
      const next = /^<([^>]+)>; rel="next"/.exec(header(page, "link"))?.[1] ?? "";
      ok(next.startsWith(`${target.origin}/v1/pets?`), next);
      equal((await call(target, next.slice(`${target.origin}/v1`.length))).status, 200);
    },
  },
  {
    title: "a body that is too large gets the service's error, from the proxy too",
    async run(target) {
      const refuse = async (bytes: number, options: CurlOptions) => {
        const { status, body } = await call(target, "/pets", {
          method: "POST",
          body: "x".repeat(bytes),
          ...options,
        });
        equal(status, 413, `${bytes} bytes: ${status} ${body}`);
        match(body, /^\{"code":"payload_too_large",/);
      };
      for (const bytes of [70_000, 200_000, 990_000]) {
        await refuse(bytes, {});
        await refuse(bytes, { headers: { "Transfer-Encoding": "chunked" } });
      }
      for (const bytes of [1_030_000, 16_500_000]) await refuse(bytes, { expectsContinue: true });
    },
  },
  {
    title: "an Idempotency-Key and an X-Request-Id arrive, and the replay says what it is",
    async run(target) {
      const headers = { "Idempotency-Key": crypto.randomUUID(), "X-Request-Id": "seen-by-both" };
      const first = await call(target, "/pets", { method: "POST", body: PET, headers });
      const second = await call(target, "/pets", { method: "POST", body: PET, headers });
      equal(second.body, first.body);
      equal(header(second, "idempotent-replayed"), "true");
      equal(header(second, "x-request-id"), "seen-by-both");
    },
  },
  {
    title: "an ETag is answered with 304, also for what the proxy may compress",
    async run(target) {
      const page = await call(target, "/pets");
      const again = await call(target, "/pets", { headers: { "If-None-Match": header(page, "etag") } });
      equal(again.status, 304);
    },
  },
  {
    title: "password guesses are limited by the client's address; a forged X-Forwarded-For changes nothing",
    async run(target) {
      const email = "grace@example.com";
      const grace = { token: await target.invite(), email, password: PASSWORD };
      const signedUp = await fromPage(target, "/invitation/accept", grace);
      equal(signedUp.status, 201, signedUp.body);
      equal(await guess(target, email, "127.0.0.2", 12), 429);
      const forged = { headers: { "X-Forwarded-For": "198.51.100.7" } };
      // If the proxy passed the forged client address on to the service, the sender would have five more attempts before the first
      // 429.
      equal(await guess(target, email, "127.0.0.2", 4, forged), 429);
      equal(await guess(target, email, "127.0.0.3", 1), 401);
    },
  },
  {
    title: "HSTS and the other header lines of the service come once, on every service",
    async run(target) {
      for (const address of [
        `${target.origin}/`,
        `${target.origin}/v1/pets`,
        `${target.messages}/messages`,
      ]) {
        const answer = await curl(target.proxy, address);
        match(header(answer, "strict-transport-security"), /^max-age=\d+$/);
        header(answer, "x-content-type-options");
        header(answer, "content-security-policy");
        header(answer, "date");
      }
    },
  },
  {
    title: "http leads to https, with the method kept",
    async run({ proxy, origin }) {
      const { hostname } = new URL(origin);
      const answer = await curl(proxy, `http://${hostname}:${proxy.httpPort}/v1/pets`, { method: "POST" });
      equal(answer.status, 308);
      ok(header(answer, "location").startsWith(`https://${hostname}`));
    },
  },
  {
    title: "metrics are not reachable",
    async run(target) {
      for (const address of [`${target.origin}/metrics`, `${target.messages}/metrics`]) {
        const answer = await curl(target.proxy, address);
        ok([401, 404].includes(answer.status), String(answer.status));
        ok(!answer.body.includes("petstore_build_info"));
      }
    },
  },
  {
    title: "the reference and every part of the pages arrive",
    async run(target) {
      for (const path of ["/", "/docs"]) {
        const { body } = await curl(target.proxy, target.origin + path);
        const parts = [...body.matchAll(/(?:src|href)="(\/[^"#]+)"/g)].map(([, to = ""]) => to);
        ok(parts.length > 2);
        for (const part of parts) equal((await curl(target.proxy, target.origin + part)).status, 200, part);
      }
    },
  },
];
