import { afterEach, describe, expect, test } from "bun:test";
import { sha256 } from "../../src/platform/sha256.ts";
import { watchQueries } from "../seen-queries.ts";
import { createTestApp, type TestApp } from "../test-app.ts";
import { until } from "../until.ts";

// The service refuses a malformed API key without a database query. It looks up a well-formed key by its hash, so that timing
// reveals nothing about stored keys.

let app: TestApp;
afterEach(() => app.close());

async function watchAccounts() {
  const watched = watchQueries("accounts");
  app = await createTestApp({}, { dataDir: watched.dataDir });
  return watched;
}

const ask = async (key: string, service: "production" | "messages" = "production") =>
  (await app.send(service, service === "messages" ? "GET /messages/x" : "GET /v1/pets", { key })).status;

function mistyped(token: string, index: number): string {
  const other = token[index] === "a" ? "b" : "a";
  return token.slice(0, index) + other + token.slice(index + 1);
}

describe("an API key of the wrong form", () => {
  test("never reaches the database: mistyped, cut, lengthened, made up, or of the other environment", async () => {
    const queries = await watchAccounts();
    const { token } = await app.makeKey();
    const { token: staging } = await app.makeKey({ environment: "staging" });
    const guesses = [
      ...Array.from(token, (_, index) => mistyped(token, index)),
      ...[
        token.slice(0, -1),
        `${token}a`,
        token.toUpperCase(),
        "pet_live_",
        "x",
        `pet_live_${"a".repeat(50)}`,
      ],
      ...["a".repeat(6_000), "' OR 1=1 --", "../../etc/passwd"],
    ];
    // Creating a key needs queries on the same database, which shows that the test records queries.
    expect(queries.length).toBeGreaterThan(0);
    queries.length = 0;
    for (const guess of guesses) {
      expect([guess, await ask(guess)]).toEqual([guess, 401]);
      expect([guess, await ask(guess, "messages")]).toEqual([guess, 401]);
    }
    expect(await ask(staging)).toBe(401);
    expect([...queries]).toEqual([]);
    queries.stop();
  });
});

describe("an API key of the right form", () => {
  test("is looked up once, by its SHA-256; the key itself is in no query", async () => {
    const queries = await watchAccounts();
    const { token } = await app.makeKey();
    const asHash = (value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
    queries.length = 0;
    const checks = (outcome: string) => app.reading(`petstore_key_checks_total{outcome="${outcome}"}`);
    // The service empties its cache once it notices that another connection has created the key, and does not use the cache after
    // a stall of the machine. It then looks the key up once more.
    await until(async () => {
      expect(await ask(token)).toBe(200);
      return (await checks("hit")) >= 2;
    });
    const lookups = queries.filter(({ sql }) => sql.includes("token_hash"));
    expect(lookups.map(({ values }) => values.map(asHash))).toEqual(
      Array.from({ length: await checks("miss") }, () => [asHash(sha256(token))]),
    );
    expect(JSON.stringify(queries.map(({ sql, values }) => [sql, values.map(String)]))).not.toContain(token);
    queries.stop();
  });
});
