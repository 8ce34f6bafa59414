import { members, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audit.ts";

const COLUMNS = "id, account_id, issuer, name, created_at, last_used_at";

/** Decodes a row that links an account to a person at a provider. Times are milliseconds since 1970. */
const decodeIdentity = members({
  id: textColumn,
  accountId: numberColumn,
  issuer: textColumn,
  name: textColumn,
  createdAt: numberColumn,
  lastUsedAt: optional(numberColumn),
});
export type Identity = ReturnType<typeof decodeIdentity>;

/**
 * Inserts a link between a person at a provider and an account. Returns no row if the person or the account already has a link.
 */
export const insertIdentity: AuditedStatement<
  { id: string; accountId: number; issuer: string; subject: string; name: string; createdAt: number },
  Identity
> = audited(
  "identity.linked",
  statement(
    `INSERT INTO provider_identity (id, account_id, issuer, subject, name, created_at)
      VALUES ($id, $accountId, $issuer, $subject, $name, $createdAt) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    decodeIdentity,
  ),
);

export const selectIdentities: Statement<[accountId: number], Identity> = statement(
  `SELECT ${COLUMNS} FROM provider_identity WHERE account_id = $1 ORDER BY created_at DESC, id`,
  decodeIdentity,
);

/** Finds a person by the issuer and subject alone (OpenID Connect Core §5.7), and stores the time of the sign-in. */
export const useIdentity: Statement<[issuer: string, subject: string, usedAt: number], Identity> = statement(
  `UPDATE provider_identity SET last_used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING ${COLUMNS}`,
  decodeIdentity,
);

export const deleteIdentity: AuditedStatement<[id: string, accountId: number], Identity> = audited(
  "identity.unlinked",
  statement(
    `DELETE FROM provider_identity WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`,
    decodeIdentity,
  ),
);
