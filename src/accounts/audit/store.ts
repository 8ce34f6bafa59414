import type { Int64 } from "exact-json/int64";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import {
  enumColumn,
  int64Column,
  members,
  nullable,
  numberColumn,
  textColumn,
  timeColumn,
} from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { ACTOR_KINDS, AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "./contract.ts";

export const insertEntry: Statement<{
  at: number;
  action: AuditAction;
  actorKind: string;
  actor: string;
  address: string;
  environment: Environment | null;
  subject: string;
  detail: string;
}> = statement(
  `INSERT INTO audit_entry (at, action, actor_kind, actor, address, environment, subject, detail, times)
    VALUES ($at, $action, $actorKind, $actor, $address, $environment, $subject, $detail, 1)`,
);

export const countFailedSignIn: Statement<{
  minute: number;
  actorKind: string;
  actor: string;
  address: string;
  environment: Environment;
  subject: string;
}> = statement(
  `INSERT INTO audit_entry (at, action, actor_kind, actor, address, environment, subject, detail, times)
    VALUES ($minute, 'sign-in.failed', $actorKind, $actor, $address, $environment, $subject, '', 1)
    ON CONFLICT (at, subject, address) WHERE action = 'sign-in.failed'
    DO UPDATE SET times = audit_entry.times + 1`,
);

const address = textColumn("address");

interface NumberedEntry extends Omit<AuditEntry, "id"> {
  readonly id: Int64;
}

export const selectEntryPage: Statement<[below: Int64, limit: number], NumberedEntry> = statement(
  `SELECT id, at, action, actor_kind, actor, address, environment, subject, detail, times
    FROM audit_entry WHERE id < $1 ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  members({
    id: int64Column,
    at: timeColumn,
    action: enumColumn(AUDIT_ACTIONS),
    actor: () =>
      members({ kind: () => enumColumn(ACTOR_KINDS)("actor_kind"), name: () => textColumn("actor") }),
    address: () => (row) => address(row) || null,
    environment: nullable(enumColumn(ENVIRONMENTS)),
    subject: textColumn,
    detail: textColumn,
    times: numberColumn,
  }),
);

/**
 * Selects the newest audit entries since $2 about password reset links that somebody else created for an account. For speed,
 * only the newest $3 entries of the log are searched.
 */
export const selectResetLinks: Statement<[email: string, since: number, searched: number], NumberedEntry> = {
  sql: `SELECT * FROM audit_entry WHERE id > (SELECT MAX(id) FROM audit_entry) - $3 AND action = 'reset-link.created'
      AND subject = $1 AND actor <> $1 AND at > $2 ORDER BY id DESC LIMIT 5`,
  decode: selectEntryPage.decode,
};

export const pruneFailedSignIns: Statement<[until: number]> = statement(
  "DELETE FROM audit_entry WHERE action = 'sign-in.failed' AND at <= $1",
);
