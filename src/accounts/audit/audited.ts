import type { Context } from "../../context.ts";
import type { SqlValue, Statement } from "../../storage/statement.ts";
import type { AuditAction } from "./contract.ts";
import { countFailedSignIn, insertEntry } from "./store.ts";

/**
 * A change that the audit list has. It is no `Statement`, so that no transaction runs it by itself: `change` runs it and
 * writes the entry in the same transaction.
 */
export interface AuditedStatement<in Values extends readonly SqlValue[], out Result> {
  readonly action: AuditAction;
  /** Yields a row for each change, and none where nothing has changed. */
  readonly audited: Statement<Values, Result>;
}

export function audited<Values extends readonly SqlValue[], Result>(
  action: AuditAction,
  statement: Statement<Values, Result>,
): AuditedStatement<Values, Result> {
  return { action, audited: statement };
}

interface EntryTexts {
  /** What the change was made to: an email address, a key's identifier, or `webhook 1`. */
  readonly subject: string;
  readonly detail?: string;
  /** The person whom the change itself has authenticated. */
  readonly person?: string;
}

/** Makes a change inside the transaction of `ctx`, with an entry for each row that it yields. */
export async function change<Values extends readonly SqlValue[], Result>(
  ctx: Context,
  { action, audited: statement }: AuditedStatement<Values, Result>,
  values: NoInfer<Values>,
  textsOf: (row: Result) => EntryTexts,
): Promise<readonly Result[]> {
  const rows = await ctx.query(statement, values);
  for (const row of rows) {
    const { subject, detail = "", person } = textsOf(row);
    const { kind, name, address, environment } = senderOf(ctx);
    const [actorKind, actor] = person === undefined ? [kind, name] : ["person", person];
    await ctx.query(insertEntry, [ctx.now, action, actorKind, actor, address, environment, subject, detail]);
  }
  return rows;
}

const MINUTE_MS = 60_000;

/**
 * Counts a wrong password by account, address and minute.
 *
 * @param email undefined for an address without an account: it may be a password, typed into the wrong field
 */
export async function recordFailedSignIn(ctx: Context, email: string | undefined): Promise<void> {
  const { kind, name, address, environment } = senderOf(ctx);
  if (environment === null) return;
  const { now, query } = ctx;
  await query(countFailedSignIn, [now - (now % MINUTE_MS), kind, name, address, environment, email ?? ""]);
}

function senderOf({ actor, address }: Context) {
  switch (actor.kind) {
    case "operator":
      return { kind: actor.kind, name: "", address: "", environment: null };
    case "key":
      return {
        kind: actor.kind,
        name: actor.keyId,
        address: address?.() ?? "",
        environment: actor.environment,
      };
    case "session":
      return { kind: "person", name: actor.email, address: actor.address, environment: actor.environment };
    case "anonymous":
      return { kind: actor.kind, name: "", address: actor.address, environment: actor.environment };
  }
}
