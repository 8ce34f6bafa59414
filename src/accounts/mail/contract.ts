import { z } from "zod";
import { named, type Operations } from "../../contract/operation.ts";
import { opaqueParameter } from "../../contract/parameter.ts";

// The operations below exist only for the console, so no OpenAPI document lists them.

/** Kinds of email that tell a person about a change to that person's account. */
const NOTICE_KINDS = ["passkey-added", "provider-linked", "password-changed", "password-set"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const MAIL_KINDS = ["invitation", "password-reset", "owner-added", ...NOTICE_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** An email that has not been sent, although the store has tried to send it at least once. */
export interface UnsentMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly email: string;
  readonly createdAt: string;
  /** True if the store will try to send the email again. */
  readonly isRetried: boolean;
  /** One sentence that says why the last attempt failed. */
  readonly reason: string;
}

const mailId = opaqueParameter({ description: "The email.", expected: "an email's identifier" });

export const mailOperations = named({
  listUnsentMails: {
    method: "GET",
    path: "/mails/unsent",
    role: "owner",
    success: { status: 200, schema: z.custom<readonly UnsentMail[]>() },
  },
  redeliverMail: {
    method: "POST",
    path: "/mails/{mailId}/redeliver",
    role: "owner",
    pathParameters: { mailId },
    success: { status: 204 },
    errors: ["not_found", "conflict"],
  },
  requestReset: {
    method: "POST",
    path: "/password-reset/request",
    role: "viewer",
    body: { schema: z.object({ email: z.string() }) },
    success: { status: 204 },
  },
} as const satisfies Operations);
