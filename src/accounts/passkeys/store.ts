import { bytesColumn, members, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audit.ts";

const COLUMNS = "id, account_id, credential_id, public_key, sign_count, host, name, created_at, last_used_at";

/** Decodes a passkey. Times are milliseconds since 1970. */
const decodePasskey = members({
  id: textColumn,
  accountId: numberColumn,
  /** The identifier of the WebAuthn credential in base64url, as the device sent it. */
  credentialId: textColumn,
  /** Public key of the passkey, as a COSE_Key (RFC 9052 §7). */
  publicKey: bytesColumn,
  signCount: numberColumn,
  /** Host name of the console where the passkey is valid. */
  host: textColumn,
  name: textColumn,
  createdAt: numberColumn,
  lastUsedAt: optional(numberColumn),
});
export type Passkey = ReturnType<typeof decodePasskey>;

export const insertPasskey: AuditedStatement<
  {
    id: string;
    accountId: number;
    credentialId: string;
    publicKey: Uint8Array;
    signCount: number;
    host: string;
    name: string;
    createdAt: number;
  },
  Passkey
> = audited(
  "passkey.added",
  statement(
    `INSERT INTO passkey (id, account_id, credential_id, public_key, sign_count, host, name, created_at)
      VALUES ($id, $accountId, $credentialId, $publicKey, $signCount, $host, $name, $createdAt) ON CONFLICT (credential_id) DO NOTHING RETURNING ${COLUMNS}`,
    decodePasskey,
  ),
);

export const selectPasskeys: Statement<[accountId: number], Passkey> = statement(
  `SELECT ${COLUMNS} FROM passkey WHERE account_id = $1 ORDER BY created_at DESC, id`,
  decodePasskey,
);

export const selectPasskeyByCredential: Statement<[credentialId: string], Passkey> = statement(
  `SELECT ${COLUMNS} FROM passkey WHERE credential_id = $1`,
  decodePasskey,
);

/**
 * Stores a passkey's new signature counter. Returns no row if a concurrent sign-in has already stored the same or a higher
 * counter.
 */
export const advanceSignCount: Statement<[id: string, signCount: number, usedAt: number], Passkey> =
  statement(
    `UPDATE passkey SET sign_count = $2, last_used_at = $3
    WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING ${COLUMNS}`,
    decodePasskey,
  );

export const deletePasskey: AuditedStatement<[id: string, accountId: number], Passkey> = audited(
  "passkey.removed",
  statement(`DELETE FROM passkey WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`, decodePasskey),
);

/**
 * Stores a challenge, or another text that can be used only once. `holder` is the hash of the session's identifier, or of the
 * token, to which the challenge belongs.
 */
export const putChallenge: Statement<{ holder: string; challenge: string; expiresAt: number }> = statement(
  `INSERT INTO passkey_challenge (holder, challenge, expires_at) VALUES ($holder, $challenge, $expiresAt)
      ON CONFLICT (holder) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
);

/**
 * Selects the challenge of a holder (a session or a token). A request may name hundreds of holders, and a DELETE for each of them
 * would be slow, so `takeChallenge` runs only for holders that have a challenge.
 */
export const selectChallenge: Statement<[holder: string], string> = statement(
  "SELECT challenge FROM passkey_challenge WHERE holder = $1",
  textColumn("challenge"),
);

/**
 * Deletes and returns the challenge of a holder (a session or a token), unless the challenge has expired. If two requests run
 * this at the same time, only one of them gets the challenge.
 */
export const takeChallenge: Statement<[holder: string, now: number], string> = statement(
  "DELETE FROM passkey_challenge WHERE holder = $1 AND expires_at > $2 RETURNING challenge",
  textColumn("challenge"),
);

export const pruneChallenges: Statement<[until: number]> = statement(
  "DELETE FROM passkey_challenge WHERE expires_at <= $1",
);
