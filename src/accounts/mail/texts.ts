import type { Role } from "../../contract/operation.ts";
import { formatTime } from "../../platform/clock.ts";
import type { NoticeKind } from "./contract.ts";

/** The content of an email, both as plain text and as HTML. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface LinkText {
  readonly link: string;
  /** Time at which the link expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

export function invitationText({ role, ...link }: LinkText & { readonly role: Role }): MailText {
  return withLink("Your invitation to petstore", link, [
    `You've been invited to petstore as ${role}. Create your account here:`,
    "If you did not expect this, ignore this email.",
  ]);
}

export function resetText({ email, ...link }: LinkText & { readonly email: string }): MailText {
  return withLink("Set a new password for petstore", link, [
    `Somebody requested a new password for your petstore account, ${email}. If this was you, set a new password here:`,
    "If this was not you, ignore this email. Your password has not changed.",
  ]);
}

const NOTICES: Readonly<Record<NoticeKind, readonly [subject: string, change: string]>> = {
  "passkey-added": ["A passkey was added", "A passkey was added to your petstore account"],
  "provider-linked": [
    "A new way to sign in was added",
    "An account at your sign-in provider was linked to your petstore account",
  ],
  "password-changed": ["Your password was changed", "The password of your petstore account was changed"],
  "password-set": [
    "A new password was set",
    "Somebody used a link to set a new password for your petstore account",
  ],
};

interface Notice {
  readonly kind: NoticeKind;
  readonly email: string;
  /** The address of the console's page about the person's account. */
  readonly link: string;
}

export function noticeText({ kind, email, link }: Notice): MailText {
  const [subject, change] = NOTICES[kind];
  const advice =
    "If you did not do this, remove the passkeys, linked accounts and API keys that are not yours. Then change your password, which signs out all other devices:";
  return mailOf(`petstore: ${subject}`, [`${change} (${email}).`, advice, { link }]);
}

/** @param link the address of the console page that lists the store's people */
export function newOwnerText(newOwner: string, link: string): MailText {
  const change = `${newOwner} is now an owner of your petstore.`;
  return mailOf("petstore: A new owner", [
    change,
    "If you did not expect this, see who has access to your petstore, and remove that owner if necessary:",
    { link },
  ]);
}

function withLink(
  subject: string,
  { link, expiresAt }: LinkText,
  [before, after]: readonly [before: string, after: string],
): MailText {
  return mailOf(subject, [before, { link }, `The link works once, until ${inWords(expiresAt)}.`, after]);
}

function mailOf(subject: string, paragraphs: readonly (string | Pick<LinkText, "link">)[]): MailText {
  const texts = paragraphs.map((one) => (typeof one === "string" ? one : one.link));
  const html = paragraphs.map((one) =>
    typeof one === "string" ? escaped(one) : `<a href="${escaped(one.link)}">${escaped(one.link)}</a>`,
  );
  return {
    subject,
    text: `${texts.join("\n\n")}\n`,
    html: html.map((paragraph) => `<p>${paragraph}</p>`).join("\n"),
  };
}

/** Formats a time, such as `2026-12-01 09:30 UTC`. */
function inWords(time: number): string {
  return `${formatTime(time).slice(0, 16).replace("T", " ")} UTC`;
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}
