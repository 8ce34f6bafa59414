import { ROLES, type Role } from "../../contract/operation.ts";
import { bytesColumn, enumColumn, members, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audit.ts";

const COLUMNS = "id, email, role, expires_at";
/** SQL condition for a valid link: it was created at the command line, or by a person who is still an owner. */
const MAKER_MAY = "(made_by IS NULL OR made_by IN (SELECT id FROM account WHERE role = 'owner'))";
const IS_INVITATION = `role IS NOT NULL AND ${MAKER_MAY}`;

/** SQL condition: $1 is the hash of the link's original token, or of a further token that was mailed for the same link. */
const HAS_TOKEN =
  "token_hash = COALESCE((SELECT link_hash FROM mailed_token WHERE mailed_token.token_hash = $1), $1)";

/** Decodes an invitation. Times are milliseconds since 1970. */
const decodeInvitation = members({
  id: textColumn,
  /** Email address of the invited person; undefined if that person chooses it. */
  email: optional(textColumn),
  role: enumColumn(ROLES),
  expiresAt: numberColumn,
});
export type Invitation = ReturnType<typeof decodeInvitation>;

/**
 * SQL assignments for the columns that are overwritten when a new link replaces an older one for the same email address or account.
 */
const REPLACED =
  "token_hash = excluded.token_hash, made_by = excluded.made_by, expires_at = excluded.expires_at";

type NewRow = { tokenHash: Uint8Array; madeBy: number | null; expiresAt: number };

export const putInvitation: AuditedStatement<
  NewRow & { id: string; email: string | null; role: Role },
  Invitation
> = audited(
  "invitation.created",
  statement(
    `INSERT INTO one_time_link (token_hash, made_by, expires_at, id, email, role) VALUES ($tokenHash, $madeBy, $expiresAt, $id, $email, $role)
      ON CONFLICT (email) DO UPDATE SET id = excluded.id, role = excluded.role, ${REPLACED} RETURNING ${COLUMNS}`,
    decodeInvitation,
  ),
);

export const selectInvitations: Statement<[now: number], Invitation> = statement(
  `SELECT ${COLUMNS} FROM one_time_link WHERE expires_at > $1 AND ${IS_INVITATION} ORDER BY expires_at DESC, id`,
  decodeInvitation,
);

export const selectInvitationByHash: Statement<[tokenHash: Uint8Array, now: number], Invitation> = statement(
  `SELECT ${COLUMNS} FROM one_time_link WHERE ${HAS_TOKEN} AND expires_at > $2 AND ${IS_INVITATION}`,
  decodeInvitation,
);

export const selectInvitationByEmail: Statement<[email: string, now: number], Invitation> = statement(
  `SELECT ${COLUMNS} FROM one_time_link WHERE email = $1 AND expires_at > $2 AND ${IS_INVITATION}`,
  decodeInvitation,
);

/**
 * Accepts the invitation for an email address that a provider has verified. If two requests accept it at the same time, only one
 * of them gets the row.
 */
export const acceptInvitationByEmail: AuditedStatement<[email: string, now: number], Invitation> = audited(
  "invitation.accepted",
  statement(
    `DELETE FROM one_time_link WHERE email = $1 AND expires_at > $2 AND ${IS_INVITATION} RETURNING ${COLUMNS}`,
    decodeInvitation,
  ),
);

/**
 * Accepts a valid invitation: deletes its row and returns it. If two requests accept it at the same time, only one of them gets
 * the row.
 */
export const acceptInvitationRow: AuditedStatement<[tokenHash: Uint8Array, now: number], Invitation> =
  audited(
    "invitation.accepted",
    statement(
      `DELETE FROM one_time_link WHERE ${HAS_TOKEN} AND expires_at > $2 AND ${IS_INVITATION} RETURNING ${COLUMNS}`,
      decodeInvitation,
    ),
  );

export const withdrawInvitationRow: AuditedStatement<[id: string], Invitation> = audited(
  "invitation.withdrawn",
  statement(`DELETE FROM one_time_link WHERE id = $1 RETURNING ${COLUMNS}`, decodeInvitation),
);

/**
 * Deletes the links for the first owner. Runs as soon as the first account has been created. Until then, only the operator can
 * create links.
 */
export const endOwnerLinks: AuditedStatement<[], Invitation> = audited(
  "invitation.withdrawn",
  statement(
    `DELETE FROM one_time_link WHERE made_by IS NULL AND email IS NULL AND role = 'owner' RETURNING ${COLUMNS}`,
    decodeInvitation,
  ),
);

export const putPasswordReset: AuditedStatement<NewRow & { accountId: number }, number> = audited(
  "reset-link.created",
  statement(
    `INSERT INTO one_time_link (token_hash, made_by, expires_at, account_id) VALUES ($tokenHash, $madeBy, $expiresAt, $accountId)
      ON CONFLICT (account_id) DO UPDATE SET ${REPLACED} RETURNING account_id`,
    numberColumn("account_id"),
  ),
);

/** Selects the account identifier of a valid password reset link. The link is deleted later, when the new password is set. */
export const selectPasswordReset: Statement<[tokenHash: Uint8Array, now: number], number> = statement(
  `SELECT account_id FROM one_time_link
    WHERE ${HAS_TOKEN} AND expires_at > $2 AND account_id IS NOT NULL AND ${MAKER_MAY}`,
  numberColumn("account_id"),
);

export const selectResetLink: Statement<[accountId: number, at: number], Uint8Array> = statement(
  `SELECT token_hash FROM one_time_link WHERE account_id = $1 AND expires_at > $2 AND ${MAKER_MAY}`,
  bytesColumn("token_hash"),
);

/** Adds a further token to a valid link, and returns the time at which the link expires. */
export const insertMailedToken: Statement<
  { tokenHash: Uint8Array; linkHash: Uint8Array; now: number },
  number
> = statement(
  `INSERT INTO mailed_token (token_hash, link_hash, expires_at)
      SELECT $tokenHash, token_hash, expires_at FROM one_time_link WHERE token_hash = $linkHash AND expires_at > $now
      RETURNING expires_at`,
  numberColumn("expires_at"),
);

export const pruneMailedTokens: Statement<[until: number]> = statement(
  "DELETE FROM mailed_token WHERE expires_at <= $1",
);

export const pruneLinks: Statement<[until: number]> = statement(
  "DELETE FROM one_time_link WHERE expires_at <= $1",
);
