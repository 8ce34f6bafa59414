import { INT64_MAX, type Int64 } from "exact-json/int64";
import type { Actor, Context } from "../../context.ts";
import { type Position, readPageBy } from "../../contract/cursor.ts";
import type { Input, Page } from "../../contract/operation.ts";
import type { Query } from "../../storage/database.ts";
import type { Statement, Values } from "../../storage/statement.ts";
import type { DatabaseName } from "../../storage/store-files.ts";
import type { AuditAction, AuditEntry, auditOperations } from "./contract.ts";
import { countFailedSignIn, insertEntry, selectEntryPage } from "./store.ts";

/**
 * A statement whose changes must appear in the audit log. Only `runAudited` can run the statement. It writes the audit entries in
 * the same transaction.
 */
export interface AuditedStatement<in Given extends Values, out Result> {
  readonly action: AuditAction;
  readonly audited: Statement<Given, Result>;
}

export function audited<Given extends Values, Result>(
  action: AuditAction,
  statement: Statement<Given, Result>,
): AuditedStatement<Given, Result> {
  return { action, audited: statement };
}

interface EntryTexts {
  /** The thing that was changed: an email address, a key's identifier, or a webhook such as `webhook 1`. */
  readonly subject: string;
  readonly detail?: string;
  /**
   * The email address that the audit entry names as the actor's. It is set for changes that themselves authenticate a person, with
   * a password, a passkey or a link.
   */
  readonly person?: string;
}

/** Runs a statement in the transaction of `ctx`, and writes an audit entry for each row that the statement returns. */
export async function runAudited<Given extends Values, Result>(
  ctx: Context,
  { action, audited: statement }: AuditedStatement<Given, Result>,
  values: NoInfer<Given>,
  textsOf: (row: Result) => EntryTexts,
): Promise<readonly Result[]> {
  const rows = await ctx.query(statement, values);
  for (const row of rows) {
    const { subject, detail = "", person } = textsOf(row);
    const entry = { at: ctx.now, action, ...senderOf(ctx), subject, detail };
    await ctx.query(
      insertEntry,
      person === undefined ? entry : { ...entry, actorKind: "person", actor: person },
    );
  }
  return rows;
}

const MINUTE_MS = 60_000;

/**
 * Counts a failed sign-in in the audit log. The failed sign-ins on one account from one network address within one minute share an
 * entry.
 *
 * @param email the account's email address; undefined if no account has the address that was typed, because the person may have
 *   typed a password in the wrong field
 */
export async function recordFailedSignIn(ctx: Context, email: string | undefined): Promise<void> {
  const { environment, ...sender } = senderOf(ctx);
  if (environment === null) return;
  const { now, query } = ctx;
  const minute = now - (now % MINUTE_MS);
  await query(countFailedSignIn, { minute, environment, ...sender, subject: email ?? "" });
}

function senderOf({ actor, request }: Context) {
  switch (actor.kind) {
    case "operator":
      return { actorKind: actor.kind, actor: "", address: "", environment: null };
    case "key":
      return {
        actorKind: actor.kind,
        actor: actor.keyId,
        address: request?.address() ?? "",
        environment: actor.environment,
      };
    case "session":
      return {
        actorKind: "person",
        actor: actor.email,
        address: actor.address,
        environment: actor.environment,
      };
    case "anonymous":
      return { actorKind: actor.kind, actor: "", address: actor.address, environment: actor.environment };
  }
}

export type AuditSources = ReadonlyMap<DatabaseName, Query>;

/** For each database, the identifier of the last audit entry on the earlier pages. */
type Shown = ReadonlyMap<string, Int64>;

/**
 * Returns a page of audit entries from all databases, newest first. The cursor contains the identifier of the last entry that was
 * returned from each database.
 */
export async function listAuditEntries(
  actor: Actor,
  sources: AuditSources,
  input: Input<typeof auditOperations.listAuditEntries>,
): Promise<Page<AuditEntry>> {
  const positions = new Map<AuditEntry, Position>();
  const positionOf = (entry: AuditEntry) => positions.get(entry) ?? positionAfter(new Map());
  const scope = ["listAuditEntries", actor.kind === "operator" ? undefined : actor.environment] as const;
  return readPageBy(scope, input, positionOf, async ({ text }, count) => {
    let shown = readShown(text);
    const entries: AuditEntry[] = [];
    for (const { source, number, entry } of await nextOf(sources, shown, count)) {
      shown = new Map(shown).set(source, number);
      positions.set(entry, positionAfter(shown));
      entries.push(entry);
    }
    return entries;
  });
}

interface Found {
  readonly source: DatabaseName;
  readonly number: Int64;
  readonly entry: AuditEntry;
}

async function nextOf(sources: AuditSources, shown: Shown, count: number): Promise<readonly Found[]> {
  const lists = await Promise.all(
    [...sources].map(async ([source, query]): Promise<Found[]> => {
      const rows = await query(selectEntryPage, [shown.get(source) ?? INT64_MAX, count]);
      return rows.map(({ id, ...rest }) => ({
        source,
        number: id,
        entry: { id: `${source}-${id}`, ...rest },
      }));
    }),
  );
  const found: Found[] = [];
  while (found.length < count) {
    const newest = newestOf(lists);
    const next = newest?.shift();
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

function newestOf(lists: readonly Found[][]): Found[] | undefined {
  const timeOf = ([first]: readonly Found[]) => first?.entry.at ?? "";
  return lists.toSorted((one, other) =>
    timeOf(one) < timeOf(other) ? 1 : timeOf(one) > timeOf(other) ? -1 : 0,
  )[0];
}

/**
 * Returns the cursor's position, such as `accounts 12 production 3`: the identifier of the last audit entry that was returned from
 * each database.
 */
function positionAfter(shown: Shown): Position {
  return { position: 0n, text: [...shown].flat().join(" ") };
}

function readShown(text: string): Shown {
  const pairs = [...text.matchAll(/([a-z]+) (\d+)/g)];
  return new Map(pairs.map(([, source = "", number = ""]) => [source, BigInt(number)]));
}
