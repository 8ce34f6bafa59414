import type { Int64 } from "exact-json/int64";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { formatTime } from "../../platform/clock.ts";
import { enumColumn, int64Column, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { noRows, type Statement, statement } from "../../storage/statement.ts";
import { ACTOR_KINDS, AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "./contract.ts";

export const insertEntry: Statement<
  [
    at: number,
    action: AuditAction,
    actorKind: string,
    actor: string,
    address: string,
    environment: Environment | null,
    subject: string,
    detail: string,
  ],
  undefined
> = statement(
  `INSERT INTO audit_entry (at, action, actor_kind, actor, address, environment, subject, detail, times)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1)`,
  noRows,
);

export const countFailedSignIn: Statement<
  [
    minute: number,
    actorKind: string,
    actor: string,
    address: string,
    environment: Environment,
    subject: string,
  ],
  undefined
> = statement(
  `INSERT INTO audit_entry (at, action, actor_kind, actor, address, environment, subject, detail, times)
    VALUES ($1, 'sign-in.failed', $2, $3, $4, $5, $6, '', 1)
    ON CONFLICT (at, subject, address) WHERE action = 'sign-in.failed'
    DO UPDATE SET times = audit_entry.times + 1`,
  noRows,
);

/** An entry with its number in its database. */
interface NumberedEntry extends Omit<AuditEntry, "id"> {
  readonly id: Int64;
}

export const selectEntryPage: Statement<[below: Int64, limit: number], NumberedEntry> = statement(
  `SELECT id, at, action, actor_kind, actor, address, environment, subject, detail, times
    FROM audit_entry WHERE id < $1 ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  (row) => ({
    id: int64Column(row, "id"),
    at: formatTime(numberColumn(row, "at")),
    action: enumColumn(row, "action", AUDIT_ACTIONS),
    actor: { kind: enumColumn(row, "actor_kind", ACTOR_KINDS), name: textColumn(row, "actor") },
    address: textColumn(row, "address") || null,
    environment: optional(row, "environment", (...column) => enumColumn(...column, ENVIRONMENTS)) ?? null,
    subject: textColumn(row, "subject"),
    detail: textColumn(row, "detail"),
    times: numberColumn(row, "times"),
  }),
);

export const pruneFailedSignIns: Statement<[until: number], undefined> = statement(
  "DELETE FROM audit_entry WHERE action = 'sign-in.failed' AND at <= $1",
  noRows,
);
