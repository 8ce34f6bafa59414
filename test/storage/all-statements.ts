import { parse } from "@babel/parser";
import { isProduct, PROJECT, readFiles, type SourceFile } from "../../scripts/check/source.ts";
import type { CategoryPatch } from "../../src/categories/contract.ts";
import { patchCategory } from "../../src/categories/store.ts";
import { selectScannedEvents } from "../../src/console/activity-store.ts";
import { EVENT_TYPES, filterOf } from "../../src/event-kinds/event-kinds.ts";
import { type EventFilter, pruneEvents, selectEventPage } from "../../src/events/store.ts";
import { claimMessages } from "../../src/messages/store.ts";
import type { Order } from "../../src/orders/contract.ts";
import {
  countCompleted,
  insertOrder,
  type OrderFilter,
  selectCompleted,
  selectOrderPage,
} from "../../src/orders/store.ts";
import type { PetPatch } from "../../src/pets/contract.ts";
import { insertPet, type PetFilter, patchPet, selectPetPage } from "../../src/pets/store.ts";
import type { AddedRow } from "../../src/storage/patch-statements.ts";
import { createGroupInsert } from "../../src/storage/postgres/group-insert.ts";
import { LOG_TIMELINE } from "../../src/storage/postgres/session.ts";
import { type NamedValues, type Statement, statement } from "../../src/storage/statement.ts";
import { claimDeliveries, lockTarget, UNNEEDED_EVENTS } from "../../src/webhooks/queue-store.ts";

// Collects every SQL statement that petstore sends to PostgreSQL. They are read from the source code, so that a new statement
// cannot be forgotten.

const petPage = (filter: Omit<PetFilter, "below">) =>
  selectPetPage({ ...filter, below: 100n }, 21).statement.sql;
const orderPage = (filter: Omit<OrderFilter, "below">) =>
  selectOrderPage({ ...filter, below: 100n }, 21).statement.sql;
const eventPages = (filter: EventFilter) =>
  (["asc", "desc"] as const).map(
    (order) => selectEventPage(filter, { order, above: 100n, below: 200n }, 21).statement.sql,
  );
const scannedEvents = (filter: EventFilter) =>
  selectScannedEvents(filter, { above: 100n, below: 200n }, 21).statement.sql;
const filtered = { status: "available", categoryId: 1 } as const;

/** SQL statements whose text depends on the request's filters. */
export const PAGES: readonly string[] = [
  petPage({}),
  petPage({ status: "sold" }),
  petPage({ categoryId: 1 }),
  petPage(filtered),
  ...[true, false].flatMap((hasStatus) => [
    petPage({ hasStatus }),
    petPage({ hasStatus, categoryId: 1 }),
    petPage({ hasStatus, ids: [1, 2, 3] }),
  ]),
  petPage({ ids: [1, 2, 3] }),
  petPage({ externalIds: ["A-1", "A-2"] }),
  petPage({ ...filtered, ids: [1, 2, 3] }),
  orderPage({}),
  orderPage({ petId: 1 }),
  orderPage({ complete: false }),
  orderPage({ petId: 1, complete: true }),
  countCompleted.sql,
  selectCompleted.sql,
  scannedEvents({}),
  scannedEvents(filterOf({ petId: 1 })),
  ...eventPages({}),
  ...eventPages(filterOf({ petId: 1 })),
  ...eventPages({ types: ["pet.created"] }),
  ...eventPages({ types: ["pet.deleted", "order.placed"], petId: 1 }),
  ...eventPages({ types: EVENT_TYPES }),
];

const RECORD = {
  name: { accountId: 1, environment: "", path: "", key: "" },
  fingerprint: new Uint8Array(),
  outcome: 201,
  now: 0,
  oldest: 0,
} as const;
/**
 * Returns the SQL texts of a change: a statement that may have to wait for a locked row and, if it exists, one that does not wait.
 */
function textsOfChange({ statement: { sql, compared } }: { readonly statement: Statement<never, unknown> }) {
  return [sql, ...(compared?.unlessLocked === undefined ? [] : [compared.unlessLocked.sql])];
}
const patchTexts = (patch: PetPatch, entry?: NamedValues, added?: AddedRow<Order>) =>
  textsOfChange(patchPet(1, patch).comparing({ id: 1, name: "", categoryId: 1 }, entry, added));
const categoryTexts = (patch: CategoryPatch) =>
  textsOfChange(patchCategory(1, patch).comparing({ id: 1, name: "", createdAt: "" }, {}));
const ORDER = { insertion: insertOrder.changing, values: {}, entry: {}, identifier: "resourceId" };
const groupOf = createGroupInsert(insertPet.creating);

/** SQL statements that exported functions build. */
const BUILT: readonly string[] = [
  ...PAGES,
  ...[{}, { name: "" }, { categoryId: 1, status: null }].flatMap((patch) => patchTexts(patch)),
  ...[undefined, {}].flatMap((entry) => patchTexts({ name: "", status: null, externalId: "" }, entry)),
  ...[{ name: "" }, { status: null }].flatMap((patch) => patchTexts(patch, {})),
  ...patchTexts({ status: "pending" }, {}, ORDER),
  ...categoryTexts({ name: "", description: null }),
  ...pruneEvents(UNNEEDED_EVENTS).map(({ sql }) => sql),
  ...[undefined, RECORD].map((record) => groupOf([{ values: {}, entry: {}, record }]).statement.sql),
  claimMessages("").sql,
  claimDeliveries("").sql,
  lockTarget("").sql,
];

/**
 * Some modules do not export their SQL templates. For each of these files: the values for the interpolations in its templates,
 * in the order of the templates.
 */
const HOLES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "src/console/imports-store.ts": [["$2, $3"]],
  "src/http/idempotency/elapsed-time.ts": [["elapsed"], ["elapsed"]],
  "src/http/idempotency/record-store.ts": [["FOR KEY SHARE"]],
  "src/http/simulation/simulate.ts": [["100"]],
  "src/pets/inventory.ts": [
    new Array(4).fill(
      "(SELECT count(*) FROM (SELECT 1 FROM pet WHERE status IS NULL LIMIT 100) AS page_counted)",
    ),
  ],
  "src/storage/copy/copy.ts": [
    ["pet"],
    ["id, name", "pet", " WHERE (id) > ($2)", "id"],
    ["id", "pet", "id DESC"],
    ["pet", "id, name", "($1, $2)"],
  ],
  "src/storage/insertion.ts": [["pet", "name, status", "$1, $2"]],
  "src/storage/postgres/addresses.ts": [["relkind = 'r'"]],
  "src/storage/postgres/backend.ts": [["pid"], ["pid"]],
  "src/storage/postgres/reads.ts": [[LOG_TIMELINE]],
  "src/storage/postgres/replicas.ts": [["production"]],
  "src/storage/postgres/session.ts": [[LOG_TIMELINE]],
  "src/storage/postgres/timeline.ts": [
    ["production", "1"],
    ["production", "production", "t.is_called AND t.last_value = 1 AND o.last_value = 1"],
    ["oid::text", "9223372036854775807"],
  ],
  "src/storage/postgres/whole-tables.ts": [
    ["production"],
    ["status", "pet", "", "status"],
    ["pet"],
    ["production", "event", "production", "event"],
  ],
  "src/webhooks/queue-store.ts": [
    ["FROM delivery WHERE webhook_id = $1 AND status = 'queued' AND id >= $2 ORDER BY id", "249"],
    ["delivery WHERE id = $1"],
  ],
};

/**
 * Files that send no statements to PostgreSQL: the files of SQLite, of the command line and of the web pages. `doctor --deep` is
 * left out as well, because it reads whole tables.
 */
const LEFT_OUT =
  /^src\/(cli\/|main\.ts|[^/]+\/web\/|storage\/(sqlite|identity|backup)\/|storage\/postgres\/contents\.ts)/;
const USES_STATEMENTS = /\bStatement\b|\.unsafe\b/;
const STATEMENT = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
/**
 * Matches SQL that contains the name of a table or of several columns. Shorter texts are not specific enough to identify a
 * statement.
 */
const TELLING = /\b(FROM|INTO|UPDATE|JOIN)\s+[a-z_]{3,}|([a-z_]{4,}\b.*){3}/s;

interface Statements {
  readonly texts: readonly string[];
  /**
   * SQL statements that are neither exported nor listed in this file. Each consists of the source file and the SQL, with `…` for
   * each interpolation.
   */
  readonly unknown: readonly string[];
}

export async function findStatements(): Promise<Statements> {
  const files = (await readFiles(["src/**/*.ts"])).filter(
    (file) => isProduct(file) && !LEFT_OUT.test(file.path) && USES_STATEMENTS.test(file.text),
  );
  const texts = new Set(BUILT);
  for (const { path } of files) collect({ ...(await import(PROJECT + path)) }, texts);
  const known = [...texts];
  const unknown: string[] = [];
  for (const file of files) {
    const holes = [...(HOLES[file.path] ?? [])];
    for (const parts of textsOf(file)) {
      if (known.some(matcherOf(parts))) continue;
      const values = parts.length === 1 ? [] : holes.shift();
      if (values?.length === parts.length - 1)
        texts.add(statement(String.raw({ raw: parts }, ...values)).sql);
      else unknown.push(`${file.path}: ${parts.join("…").trim()}`);
    }
  }
  return { texts: [...texts], unknown };
}

function collect(value: unknown, texts: Set<string>): void {
  if (value === null || typeof value !== "object") return;
  if ("sql" in value && "decode" in value) texts.add(String(value.sql));
  else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
    for (const one of Object.values(value)) collect(one, texts);
}

/**
 * Creates a function that returns true if an SQL text contains the given parts in the given order. If the parts occur in many
 * statements, only the statements in `BUILT` are accepted.
 */
function matcherOf(parts: readonly string[]): (text: string) => boolean {
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*");
  const pattern = new RegExp(escaped.replaceAll(/\$[a-z]\w*/gi, "$\\d+"));
  const isTelling = TELLING.test(parts.join("…"));
  return (text) => pattern.test(text) && (isTelling || BUILT.includes(text));
}

/** Returns the SQL texts in a source file. Each text is split into parts at its interpolations. */
function textsOf(file: SourceFile): readonly (readonly string[])[] {
  const texts: (readonly string[])[] = [];
  const visit = (node: object) => {
    const parts = partsOf(node);
    if (STATEMENT.test(parts[0] ?? "")) texts.push(parts);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(treeOf(file).program);
  return texts;
}

function treeOf({ path, text }: SourceFile) {
  const plugins: ("typescript" | "jsx")[] = path.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"];
  return parse(text, { sourceType: "module", plugins, attachComment: false });
}

function partsOf(node: { type?: unknown; value?: unknown; quasis?: unknown }): readonly string[] {
  if (node.type === "StringLiteral") return [String(node.value)];
  if (node.type !== "TemplateLiteral") return [];
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
}

const isNode = (value: unknown): value is object =>
  value !== null && typeof value === "object" && "type" in value;
