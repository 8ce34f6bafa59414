import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { DAY_MS } from "../../limits.ts";
import { formatTime } from "../../platform/clock.ts";
import type { Database } from "../../storage/database.ts";
import { writeSetting } from "../../storage/setting.ts";
import { normalizeEmail } from "../email.ts";
import type { NewLink } from "../invitations/invitations.ts";
import type { PasswordCheck } from "../passwords.ts";
import { requireBrowser } from "../sessions/sessions.ts";
import type { MailKind, mailOperations, UnsentMail } from "./contract.ts";
import { newMailId } from "./notices.ts";
import {
  deleteMailSetting,
  insertMail,
  insertResetMail,
  MAIL_SETTING,
  requeueMail,
  selectMailSetting,
  selectMailStatus,
  selectUnsentMails,
} from "./store.ts";

const RESETS_PER_DAY = 5; // maximum number of password reset emails to one address in 24 hours, because strangers can request them

/** Queues an email with a link, in the transaction that creates the link. @returns true if the store sends emails */
export async function mailLink(
  ctx: Context,
  kind: MailKind,
  email: string,
  { tokenHash }: NewLink,
): Promise<boolean> {
  const mail = { id: newMailId(ctx), kind, email, linkHash: tokenHash, createdAt: ctx.now };
  return (await ctx.query(insertMail, mail)).length > 0;
}

/**
 * Queues the password reset email that a person has requested. Only the delivery worker finds out whether the address has an
 * account, so neither the response nor its timing reveals it.
 *
 * @throws ServiceError (when the returned function is called) `not_found`, `rate_limited`, `invalid_body`
 */
export function createRequestReset({ accounts, throttle }: PasswordCheck, isOffered: boolean) {
  return async function requestReset(
    ctx: Context,
    { body }: Input<typeof mailOperations.requestReset>,
  ): Promise<undefined> {
    if (!isOffered)
      throw new ServiceError(
        "not_found",
        "This store sends no emails. Ask an owner for a link to set a new password.",
      );
    const { address, environment } = requireBrowser(ctx);
    await throttle.consumeReset(address, ctx.now);
    const { now } = ctx;
    await accounts.run(insertResetMail, {
      id: newMailId(ctx),
      email: normalizeEmail(body.email),
      detail: `${environment} ${address}`,
      createdAt: now,
      limit: RESETS_PER_DAY,
      since: now - DAY_MS,
    });
  };
}

export async function listUnsentMails({
  query,
  now,
}: Pick<Context, "query" | "now">): Promise<readonly UnsentMail[]> {
  const mails = await query(selectUnsentMails, [now]);
  return mails.map(({ id, kind, email, createdAt, dueAt, reason = "" }) => ({
    ...{ id, kind, email },
    reason: /^\d+$/.test(reason) ? `The mail server refused the email (${reason}).` : reason,
    createdAt: formatTime(createdAt),
    isRetried: dueAt !== undefined,
  }));
}

/**
 * Queues a failed email again. The link in it gets a new token when the email is sent.
 *
 * @throws ServiceError `not_found`; `conflict` if the email has not failed, its link is no longer valid, or the store sends no
 *   emails
 */
export async function redeliverMail(
  { query, now }: Context,
  { mailId }: Input<typeof mailOperations.redeliverMail>,
): Promise<undefined> {
  const [status] = await query(selectMailStatus, [mailId]);
  if (status === undefined) throw new ServiceError("not_found", "There is no such email.");
  if (status !== "failed")
    throw new ServiceError("conflict", `The email is ${status}. Only a failed email can be sent again.`);
  const isSending = (await query(selectMailSetting, [])).length > 0;
  if (!isSending)
    throw new ServiceError(
      "conflict",
      "This store sends no emails. Set PETSTORE_SMTP_URL and PETSTORE_MAIL_FROM.",
    );
  const queued = await query(requeueMail, [now, mailId]);
  if (queued.length === 0)
    throw new ServiceError("conflict", "The link in this email is not valid any more. Create a new link.");
}

/**
 * Records in the database whether the store sends emails, because the statements that queue emails check this in every process.
 */
export async function noteMailing({ read, run }: Database, isSending: boolean): Promise<void> {
  const isNoted = (await read(selectMailSetting, [])).length > 0;
  if (isNoted === isSending) return;
  await (isSending ? run(writeSetting, [MAIL_SETTING, "on"]) : run(deleteMailSetting, []));
}
