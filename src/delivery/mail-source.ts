import { createResetLink } from "../accounts/invitations/password-reset.ts";
import { insertMailedToken, selectInvitationByHash, selectResetLink } from "../accounts/invitations/store.ts";
import {
  type ClaimedMail,
  claimMails,
  deleteUnknownResets,
  dropEndedMails,
  mailQueue,
} from "../accounts/mail/store.ts";
import {
  invitationText,
  type MailText,
  newOwnerText,
  noticeText,
  resetText,
} from "../accounts/mail/texts.ts";
import { selectAccountByEmail } from "../accounts/store.ts";
import type { AnonymousActor, Context, Environment } from "../context.ts";
import { DELIVERY_LEASE_MS } from "../limits.ts";
import type { RandomBytes } from "../platform/random.ts";
import { randomSecret } from "../platform/random.ts";
import { sha256 } from "../platform/sha256.ts";
import type { MailAddress, SmtpServer } from "../platform/smtp-url.ts";
import type { Database } from "../storage/database.ts";
import { DeliveryError } from "./destination.ts";
import { sendMail } from "./smtp.ts";
import { type DeliverySource, settleAttempt } from "./source.ts";

const MAIL_CONCURRENCY = 4; // maximum number of emails that one worker sends at the same time
const RESET_LIFE_MIN_MS = 3_600_000; // an existing reset link is sent again if it stays valid for at least this long; otherwise, it is replaced by a new link

interface MailSourceOptions {
  readonly accounts: Database;
  readonly server: SmtpServer;
  readonly from: MailAddress;
  /** Returns the console's public origin. Links in emails begin with it. */
  readonly origin: () => string;
  readonly randomBytes: RandomBytes;
}

/**
 * Sends emails. The token in a link is created only when the email is sent, because the store contains no tokens, only their
 * hashes.
 */
export function mailSource(options: MailSourceOptions): DeliverySource<ClaimedMail> {
  const { accounts, server, from } = options;
  const claimStatement = claimMails(accounts.locks.claim);
  return {
    name: "mail",
    noun: "mail",
    channel: "keys",
    queue: mailQueue,
    // Emails that this process has queued wake the worker through a direct call. Emails that other processes have queued are found
    // by polling.
    concerns: () => false,
    gatherMs: 0,
    prepare: async () => false,
    async claim(now, underWay) {
      const count = MAIL_CONCURRENCY - underWay.length;
      const [dueAt] = count <= 0 ? [] : await accounts.read(mailQueue.nextDue, []);
      if (dueAt === undefined || dueAt > now) return [];
      await accounts.run(dropEndedMails, [now]);
      await accounts.run(deleteUnknownResets, []);
      return accounts.run(claimStatement, [now, now + DELIVERY_LEASE_MS, count]);
    },
    async send(mail, begin, stop) {
      const now = begin();
      const text = await accounts.write((query) =>
        textOf(options, { query, now, randomBytes: options.randomBytes, actor: askerOf(mail) }, mail),
      );
      return sendMail(server, from, { ...text, id: mail.id, to: mail.email }, stop);
    },
    settle: (ended) =>
      accounts.write((query) => Promise.all(ended.map((one) => settleAttempt(query, mailQueue, one)))),
    logFields: ({ id, kind }) => ({ mailId: id, kind }),
  };
}

/** Returns the text of an email, with a new token in its link. @throws DeliveryError if the link has become invalid */
async function textOf({ origin }: MailSourceOptions, ctx: Context, mail: ClaimedMail): Promise<MailText> {
  const { kind, email, detail } = mail;
  switch (kind) {
    case "owner-added":
      return newOwnerText(detail, `${origin()}/people`);
    case "invitation": {
      const [invitation] = mail.linkHash
        ? await ctx.query(selectInvitationByHash, [mail.linkHash, ctx.now])
        : [];
      if (invitation === undefined) throw linkEnded();
      const { token, expiresAt } = await mailToken(ctx, mail.linkHash);
      return invitationText({ ...invitation, link: `${origin()}/invitation#${token}`, expiresAt });
    }
    case "password-reset": {
      const { token, expiresAt } = await mailToken(ctx, mail.linkHash ?? (await resetLinkOf(ctx, email)));
      return resetText({ email, link: `${origin()}/reset-password#${token}`, expiresAt });
    }
    default:
      return noticeText({ kind, email, link: `${origin()}/account` });
  }
}

/** Creates a token for a link. The token expires together with the link. @throws DeliveryError if the link has become invalid */
async function mailToken({ query, now, randomBytes }: Context, linkHash: Uint8Array | undefined) {
  const token = randomSecret(randomBytes);
  const tokenHash = sha256(token);
  const [expiresAt] = linkHash ? await query(insertMailedToken, { tokenHash, linkHash, now }) : [];
  if (expiresAt === undefined) throw linkEnded();
  return { token, expiresAt };
}

const linkEnded = () => new DeliveryError("The link in the email is not valid any more.");

/**
 * Returns the hash of an account's reset link: the existing one if it is still valid, or else a new one. An owner may already have
 * given the existing link to the person, so it must not be replaced only because a stranger has requested a reset.
 */
async function resetLinkOf(ctx: Context, email: string): Promise<Uint8Array | undefined> {
  const [account] = await ctx.query(selectAccountByEmail, [email]);
  if (account === undefined) return undefined;
  const [known] = await ctx.query(selectResetLink, [account.id, ctx.now + RESET_LIFE_MIN_MS]);
  return known ?? (await createResetLink(ctx, { accountId: account.id })).tokenHash;
}

/** Returns the actor for the audit log: the person who requested the password reset on the sign-in page. */
function askerOf({ detail }: ClaimedMail): AnonymousActor {
  const [environment = "production", address = ""] = detail.split(" ");
  return {
    kind: "anonymous",
    environment: environment as Environment,
    ...{ address, isSharedAddress: false, userAgent: "", passkeyTokens: [], origin: "" },
  };
}
