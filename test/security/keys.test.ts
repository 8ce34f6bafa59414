import { afterEach, describe, expect, test } from "bun:test";
import { sha256 } from "../../src/platform/sha256.ts";
import { watchQueries } from "../seen-queries.ts";
import { createTestApp, type TestApp } from "../test-app.ts";

// How a key is looked at: what cannot be one costs the store nothing, and what could be one is compared by its hash alone,
// so that how long it takes tells nothing of any key.

let app: TestApp;
afterEach(() => app.close());

async function watchAccounts() {
  const watched = watchQueries("accounts.sqlite");
  app = await createTestApp();
  return watched;
}

const ask = async (key: string, service: "production" | "messages" = "production") =>
  (await app.send(service, service === "messages" ? "GET /messages/x" : "GET /v1/pets", { key })).status;

/** The same text with one character in another's place. */
function mistyped(token: string, place: number): string {
  const other = token[place] === "a" ? "b" : "a";
  return token.slice(0, place) + other + token.slice(place + 1);
}

describe("a key that cannot be one", () => {
  test("never reaches the database: mistyped anywhere, cut, lengthened, made up, or of the other environment", async () => {
    const queries = await watchAccounts();
    const { token } = await app.makeKey();
    const { token: staging } = await app.makeKey({ environment: "staging" });
    const guesses = [
      ...Array.from(token, (_, place) => mistyped(token, place)),
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
    // Making a key asks the same database: what is asked there is seen.
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

describe("a key that could be one", () => {
  test("is looked up by its SHA-256, once; the key itself is in no query", async () => {
    const queries = await watchAccounts();
    const { token } = await app.makeKey();
    const asHash = (value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
    queries.length = 0;
    for (let time = 0; time < 3; time++) expect(await ask(token)).toBe(200);
    const lookups = queries.filter(({ sql }) => sql.includes("token_hash"));
    expect(lookups.map(({ values }) => values.map(asHash))).toEqual([[asHash(sha256(token))]]);
    expect(JSON.stringify(queries.map(({ sql, values }) => [sql, values.map(String)]))).not.toContain(token);
    queries.stop();
  });
});
