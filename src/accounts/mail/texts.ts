import type { Role } from "../../contract/operation.ts";
import { formatTime } from "../../platform/clock.ts";

/** A mail as people read it: as plain text, and the same in HTML. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface LinkText {
  readonly link: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export function invitationText({ role, ...link }: LinkText & { readonly role: Role }): MailText {
  return withLink("Your invitation to petstore", link, [
    `You've been invited to petstore as ${role}. Create your account here:`,
    "If you did not expect this, ignore it.",
  ]);
}

export function resetText({ email, ...link }: LinkText & { readonly email: string }): MailText {
  return withLink("Set a new password for petstore", link, [
    `Somebody asked for a new password for your petstore account, ${email}. If it was you, set one here:`,
    "If it was not you, ignore this. Your password has not changed.",
  ]);
}

function withLink(
  subject: string,
  { link, expiresAt }: LinkText,
  [before, after]: readonly [before: string, after: string],
): MailText {
  const validity = `The link works once, until ${inWords(expiresAt)}.`;
  const html = [escaped(before), `<a href="${escaped(link)}">${escaped(link)}</a>`, validity, escaped(after)];
  return {
    subject,
    text: `${[before, link, validity, after].join("\n\n")}\n`,
    html: html.map((paragraph) => `<p>${paragraph}</p>`).join("\n"),
  };
}

/** Such as `2026-12-01 09:30 UTC`. */
function inWords(time: number): string {
  return `${formatTime(time).slice(0, 16).replace("T", " ")} UTC`;
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}
