import { ROLES, type Role } from "../../contract/operation.ts";
import { enumColumn, numberColumn, textColumn } from "../../storage/row.ts";
import { noRows, type Row, type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audited.ts";

/** Times are milliseconds since 1970. */
export interface Invitation {
  readonly id: string;
  /** Empty where the person chooses one. */
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: number;
}

const COLUMNS = "id, email, role, expires_at";
/** A link ends with the rights of the account that made it. */
const MAKER_MAY = "(made_by IS NULL OR made_by IN (SELECT id FROM account WHERE role = 'owner'))";
const IS_VALID = `expires_at > $2 AND ${MAKER_MAY}`;

function decodeInvitation(row: Row): Invitation {
  return {
    id: textColumn(row, "id"),
    email: textColumn(row, "email"),
    role: enumColumn(row, "role", ROLES),
    expiresAt: numberColumn(row, "expires_at"),
  };
}

export const putInvitation: AuditedStatement<
  [
    id: string,
    email: string,
    role: Role,
    tokenHash: Uint8Array,
    madeBy: number | null,
    createdAt: number,
    expiresAt: number,
  ],
  Invitation
> = audited(
  "invitation.created",
  statement(
    `INSERT INTO invitation (id, email, role, token_hash, made_by, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (email) DO UPDATE SET id = excluded.id, role = excluded.role, token_hash = excluded.token_hash,
        made_by = excluded.made_by, created_at = excluded.created_at, expires_at = excluded.expires_at
      RETURNING ${COLUMNS}`,
    decodeInvitation,
  ),
);

export const selectInvitations: Statement<[now: number], Invitation> = statement(
  `SELECT ${COLUMNS} FROM invitation WHERE expires_at > $1 AND ${MAKER_MAY} ORDER BY created_at DESC, id`,
  decodeInvitation,
);

export const selectInvitationByHash: Statement<[tokenHash: Uint8Array, now: number], Invitation> = statement(
  `SELECT ${COLUMNS} FROM invitation WHERE token_hash = $1 AND ${IS_VALID}`,
  decodeInvitation,
);

/** Yields the invitation to one of two that take it at once. */
export const acceptInvitationRow: AuditedStatement<[tokenHash: Uint8Array, now: number], Invitation> =
  audited(
    "invitation.accepted",
    statement(
      `DELETE FROM invitation WHERE token_hash = $1 AND ${IS_VALID} RETURNING ${COLUMNS}`,
      decodeInvitation,
    ),
  );

export const withdrawInvitationRow: AuditedStatement<[id: string], Invitation> = audited(
  "invitation.withdrawn",
  statement(`DELETE FROM invitation WHERE id = $1 RETURNING ${COLUMNS}`, decodeInvitation),
);

export const pruneInvitations: Statement<[until: number], undefined> = statement(
  "DELETE FROM invitation WHERE expires_at <= $1",
  noRows,
);

export const putPasswordReset: AuditedStatement<
  [accountId: number, tokenHash: Uint8Array, madeBy: number | null, createdAt: number, expiresAt: number],
  number
> = audited(
  "reset-link.created",
  statement(
    `INSERT INTO password_reset (account_id, token_hash, made_by, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash, made_by = excluded.made_by,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      RETURNING account_id`,
    (row) => numberColumn(row, "account_id"),
  ),
);

/** The account that a link is for. Setting the password ends the link. */
export const selectPasswordReset: Statement<[tokenHash: Uint8Array, now: number], number> = statement(
  `SELECT account_id FROM password_reset WHERE token_hash = $1 AND ${IS_VALID}`,
  (row) => numberColumn(row, "account_id"),
);

export const prunePasswordResets: Statement<[until: number], undefined> = statement(
  "DELETE FROM password_reset WHERE expires_at <= $1",
  noRows,
);
