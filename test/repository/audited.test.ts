import { expect, test } from "bun:test";

// No change of accounts, keys, links or webhooks is forgotten in the audit list: its statement is an `AuditedStatement`, which only
// `change` runs, and `change` writes the entry.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const CHANGE =
  /(?:INSERT INTO (?:account|api_key|session|invitation|password_reset|webhook)|UPDATE (?:account|api_key|invitation|password_reset|webhook)|DELETE FROM (?:account|api_key|invitation|password_reset|webhook))\b/g;
const AUDITED = /audited\(\s*"[a-z.-]+",\s*statement\(\s*[`"]$/;

/** Statements whose change is told by another one of the same transaction, or is none of a person's. */
const EXEMPT = [
  "UPDATE account SET created_at = created_at",
  "UPDATE api_key SET last_used_at",
  "DELETE FROM invitation WHERE expires_at",
  "DELETE FROM password_reset WHERE expires_at",
  "UPDATE webhook SET last_event_id",
  "DELETE FROM webhook WHERE status = 'deleted'",
];

function forgotten(text: string): readonly string[] {
  return [...text.matchAll(CHANGE)]
    .filter(({ index }) => !AUDITED.test(text.slice(0, index)))
    .map(({ index }) => text.slice(index, index + 60).replaceAll(/\s+/g, " "))
    .filter((sql) => !EXEMPT.some((exempt) => sql.startsWith(exempt)));
}

test("every statement that changes accounts, keys, links or webhooks is audited", async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob("src/**/*.ts").scanSync({ cwd: PROJECT })) {
    const text = await Bun.file(PROJECT + path).text();
    found.push(...forgotten(text).map((sql) => `${path}: ${sql}`));
  }
  expect(found).toEqual([]);
});

test("one that is not would be found", () => {
  expect(forgotten('statement("DELETE FROM account WHERE id = $1", noRows)')).toHaveLength(1);
  expect(
    forgotten('audited("account.removed", statement("DELETE FROM account WHERE id = $1", noRows))'),
  ).toEqual([]);
});
