import type { MailKind, UnsentMail } from "../../../accounts/mail/contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";

const ABOUT: Readonly<Record<MailKind, string>> = {
  invitation: "Invitation",
  "password-reset": "New password",
  "owner-added": "New owner",
  "passkey-added": "Passkey added",
  "provider-linked": "Account linked",
  "password-changed": "Password changed",
  "password-set": "Password set anew",
};

const COLUMNS = {
  To: ({ email }: UnsentMail) => <LongText text={email} />,
  About: ({ kind }: UnsentMail) => ABOUT[kind],
  Created: ({ createdAt }: UnsentMail) => <Timestamp at={createdAt} />,
  Problem: ({ reason }: UnsentMail) =>
    /^\d+$/.test(reason) ? `The mail server refused it (${reason}).` : reason,
  "Tried again": ({ isRetried }: UnsentMail) => (isRetried ? "Yes" : "No"),
};

/** Mails that could not be sent, shown if there are any. */
export function UnsentMails({ mails }: { readonly mails: readonly UnsentMail[] }) {
  if (mails.length === 0) return null;
  return (
    <section class="card" aria-labelledby="unsent-mails">
      <h2 id="unsent-mails">Mails not sent</h2>
      <p>Send invited people a link yourself, and create password-reset links for those who need one.</p>
      <ListTable label="Mails not sent" rows={mails} columns={COLUMNS} />
    </section>
  );
}
