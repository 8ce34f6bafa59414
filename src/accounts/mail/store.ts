import { DELIVERY_STATUSES } from "../../delivery-queue/contract.ts";
import { claimDue, queueOf } from "../../delivery-queue/store.ts";
import { bytesColumn, enumColumn, members, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { MAIL_KINDS, type MailKind } from "./contract.ts";

const UNSENT_SHOWN_MAX = 20; // maximum number of unsent emails that are shown, newest first
/** The name of the setting that exists if, and only if, the store sends emails. */
export const MAIL_SETTING = "mail";
const IS_SENDING = `EXISTS (SELECT 1 FROM setting WHERE name = '${MAIL_SETTING}')`;
const COLUMNS = "id, kind, email, link_hash, detail";
/** SQL condition: the email has no link, or its link is valid at $1. */
const IS_OF_USE = `(link_hash IS NULL OR EXISTS (SELECT 1 FROM one_time_link WHERE token_hash = mail.link_hash AND expires_at > $1))`;

/** Decodes an email that one worker has leased. Times are milliseconds since 1970. */
const decodeClaimed = members({
  id: textColumn,
  kind: enumColumn(MAIL_KINDS),
  email: textColumn,
  linkHash: optional(bytesColumn),
  detail: textColumn,
  attempts: numberColumn,
  dueAt: numberColumn,
});
export type ClaimedMail = ReturnType<typeof decodeClaimed>;

const INSERT = "INSERT INTO mail (id, kind, email, link_hash, detail, status, attempts, due_at, created_at)";

/** Queues an email with a link and returns the email's identifier. Queues nothing if the store sends no emails. */
export const insertMail: Statement<
  { id: string; kind: MailKind; email: string; linkHash: Uint8Array; createdAt: number },
  string
> = statement(
  `${INSERT} SELECT $id, $kind, $email, $linkHash, '', 'queued', 0, CAST($createdAt AS BIGINT), CAST($createdAt AS BIGINT)
    WHERE ${IS_SENDING} RETURNING id`,
  textColumn("id"),
);

/**
 * Queues an email that tells a person about a change. Queues nothing if the store sends no emails, or if `limit` emails of this
 * kind have already been queued for the address since `since`.
 */
export const insertNotice: Statement<{
  id: string;
  kind: MailKind;
  email: string;
  createdAt: number;
  limit: number;
  since: number;
}> = statement(
  `${INSERT} SELECT $id, $kind, $email, NULL, '', 'queued', 0, CAST($createdAt AS BIGINT), CAST($createdAt AS BIGINT)
    WHERE ${IS_SENDING}
      AND (SELECT COUNT(*) FROM mail WHERE email = $email AND kind = $kind AND created_at > $since) < $limit`,
);

/**
 * Queues an email to every owner who can sign in, if the store sends emails. @param id the beginning of each email's identifier
 */
export const insertOwnerNotices: Statement<{ id: string; newOwner: string; createdAt: number }> = statement(
  `${INSERT} SELECT $id || '-' || CAST(id AS TEXT), 'owner-added', email, NULL, $newOwner, 'queued', 0,
      CAST($createdAt AS BIGINT), CAST($createdAt AS BIGINT)
    FROM account WHERE role = 'owner' AND password_hash IS NOT NULL AND ${IS_SENDING}`,
);

/**
 * Queues the password reset email that a person has requested. If `limit` resets have already been requested for the address since
 * `since`, the row is stored as dropped. Without this row, the transaction would be faster, and the difference could reveal whether
 * the address has an account.
 */
export const insertResetMail: Statement<{
  id: string;
  email: string;
  detail: string;
  createdAt: number;
  limit: number;
  since: number;
}> = statement(
  `${INSERT} SELECT $id, 'password-reset', $email, NULL, $detail, CASE WHEN asked < $limit THEN 'queued' ELSE 'dropped' END, 0,
      CASE WHEN asked < $limit THEN CAST($createdAt AS BIGINT) END, CAST($createdAt AS BIGINT)
    FROM (SELECT COUNT(*) AS asked FROM mail
      WHERE email = $email AND kind = 'password-reset' AND status <> 'dropped' AND created_at > $since) AS earlier`,
);

/** Drops the queued emails whose link has been used, cancelled or replaced, or has expired. */
export const dropEndedMails: Statement<[now: number]> = statement(
  `UPDATE mail SET status = 'dropped', due_at = NULL WHERE status = 'queued' AND NOT ${IS_OF_USE}`,
);

/** SQL condition: a password reset for an address that has no account. */
const IS_UNKNOWN_RESET = `(kind = 'password-reset' AND link_hash IS NULL
  AND NOT EXISTS (SELECT 1 FROM account WHERE account.email = mail.email AND password_hash IS NOT NULL))`;

export const deleteUnknownResets: Statement<[]> = statement(
  `DELETE FROM mail WHERE status = 'queued' AND ${IS_UNKNOWN_RESET}`,
);

export const mailQueue = queueOf("mail", "SELECT MIN(due_at) AS due_at FROM mail WHERE status = 'queued'");

/**
 * Claims the emails that are due, except password resets for unknown addresses. The caller has just deleted such resets, but
 * others may have been queued since.
 */
export const claimMails = (skipLocked: string) =>
  claimDue("mail", skipLocked, COLUMNS, decodeClaimed, `AND NOT ${IS_UNKNOWN_RESET}`);

const decodeUnsent = members({
  id: textColumn,
  kind: enumColumn(MAIL_KINDS),
  email: textColumn,
  createdAt: numberColumn,
  dueAt: optional(numberColumn),
  reason: optional(textColumn),
});

/** Selects the emails that have failed or will be retried, newest first. Emails whose link is no longer valid are left out. */
export const selectUnsentMails: Statement<[now: number], ReturnType<typeof decodeUnsent>> = statement(
  `SELECT id, kind, email, created_at, due_at, (SELECT COALESCE(error, CAST(tried.status AS TEXT))
      FROM delivery_attempt AS tried WHERE delivery_id = mail.id ORDER BY tried.id DESC LIMIT 1) AS reason
    FROM mail WHERE status IN ('queued', 'failed') AND ${IS_OF_USE}
      AND EXISTS (SELECT 1 FROM delivery_attempt AS failed WHERE failed.delivery_id = mail.id)
    ORDER BY created_at DESC, id LIMIT (${UNSENT_SHOWN_MAX})`,
  decodeUnsent,
);

/** Queues a failed email again, unless its link is no longer valid, and returns its identifier. */
export const requeueMail: Statement<[now: number, id: string], string> = statement(
  `UPDATE mail SET status = 'queued', attempts = 0, due_at = $1 WHERE id = $2 AND status = 'failed' AND ${IS_OF_USE}
    RETURNING id`,
  textColumn("id"),
);

export const selectMailStatus: Statement<[id: string], (typeof DELIVERY_STATUSES)[number]> = statement(
  "SELECT status FROM mail WHERE id = $1",
  enumColumn(DELIVERY_STATUSES)("status"),
);

export const pruneMails: Statement<[before: number]> = statement(
  "DELETE FROM mail WHERE created_at < $1 AND status <> 'queued'",
);

export const selectMailSetting: Statement<[], string> = statement(
  `SELECT value FROM setting WHERE name = '${MAIL_SETTING}'`,
  textColumn("value"),
);

export const deleteMailSetting: Statement<[]> = statement(
  `DELETE FROM setting WHERE name = '${MAIL_SETTING}'`,
);
