// Rules for SQL in src/: every change must be recorded in the database, and no LIMIT may make SQLite plan a statement again at each
// execution.
import { isProduct, type SourceFile } from "./source.ts";

// Every change to an animal, order or category must add an event to the event log. Therefore, its SQL statement has to be a
// `ChangeStatement`, which only `events/change.ts` runs.
const TABLES = "(?:pet|category|store_order)\\b";
const CHANGE = new RegExp(`(?:INSERT INTO|UPDATE|DELETE FROM) ${TABLES}`, "g");
const PATCHED = new RegExp(`\\btable: "${TABLES}`, "g");
const PATCHING = /patching(?:<[^>]+>)?\(\s*"[a-z.]+",\s*\{\s*$/;
const CHANGING = /changing\(\s*"[a-z.]+",\s*statement\(\s*[`"]$/;
const INSERTION = new RegExp(`(?:(export )?const (\\w+)[^=;]*= )?insertion\\(\\s*"${TABLES}`, "g");

// Every change to accounts, keys, links or webhooks must add an entry to the audit log. Therefore, its SQL statement has to be an
// `AuditedStatement`.
const AUDITABLE =
  /(?:INSERT INTO (?:account|api_key|session|one_time_link|webhook)|UPDATE (?:account|api_key|one_time_link|webhook)|DELETE FROM (?:account|api_key|one_time_link|webhook))\b/g;
const AUDITED = /audited\(\s*"[a-z.-]+",\s*statement\(\s*[`"]$/;
/**
 * SQL statements that need no audit entry, because they are part of a change that already has one, or because no person causes
 * them.
 */
const NOT_AUDITED =
  /^(UPDATE account SET created_at = created_at|UPDATE api_key SET last_used_at|DELETE FROM one_time_link WHERE expires_at|UPDATE webhook SET last_event_id|DELETE FROM webhook WHERE status = 'deleted')/;

/**
 * Matches a LIMIT or OFFSET whose number is a placeholder. SQLite plans such a statement again at each execution, because the plan
 * depends on the number. For a page of 20 rows, this takes 24 µs.
 */
const BARE_LIMIT = /\b(LIMIT|OFFSET)\s+[$?:@].*/g;

export function findStatementFaults(files: readonly SourceFile[]): readonly string[] {
  const modules = files.filter(isProduct);
  const migrations = files.filter(({ path }) => path.endsWith(".sql"));
  return [
    ...faultsIn(
      modules,
      unrecorded,
      "wrap it in changing(…) or patching(…), or make it a part of creating(…)",
    ),
    ...faultsIn(modules, unaudited, "wrap it in audited(…), and run it with runAudited(…)"),
    ...faultsIn([...modules, ...migrations], bareLimits, "write LIMIT CAST($1 AS BIGINT)"),
  ];
}

function faultsIn(
  files: readonly SourceFile[],
  find: (text: string) => readonly string[],
  says: string,
): readonly string[] {
  return files.flatMap(({ path, text }) => find(text).map((sql) => `${path}: ${sql}: ${says}.`));
}

function unrecorded(text: string): readonly string[] {
  const changes = [...text.matchAll(CHANGE)].filter(({ index }) => !CHANGING.test(text.slice(0, index)));
  const patches = [...text.matchAll(PATCHED)].filter(({ index }) => !PATCHING.test(text.slice(0, index)));
  const insertions = [...text.matchAll(INSERTION)].filter(
    ([, exported, name]) => exported !== undefined || name === undefined || !appends(text, name),
  );
  return [...changes, ...patches, ...insertions].map(({ index }) => excerpt(text, index));
}

/**
 * Returns true if an INSERT statement is passed only to `creating`, `inserting` or `changing`. The type of the statement and its
 * list of columns may be used anywhere.
 */
function appends(text: string, name: string): boolean {
  const allowed = `const ${name}\\b|(?:creating|inserting|changing)\\("[a-z.]+", ${name}\\)|typeof ${name}>|\\b${name}\\.list`;
  return !new RegExp(`\\b${name}\\b`).test(text.replaceAll(new RegExp(allowed, "g"), ""));
}

function unaudited(text: string): readonly string[] {
  return [...text.matchAll(AUDITABLE)]
    .filter(({ index }) => !AUDITED.test(text.slice(0, index)))
    .map(({ index }) => excerpt(text, index))
    .filter((sql) => !NOT_AUDITED.test(sql));
}

function bareLimits(text: string): readonly string[] {
  return text.match(BARE_LIMIT) ?? [];
}

function excerpt(text: string, index: number): string {
  return text.slice(index, index + 60).replaceAll(/\s+/g, " ");
}
