import type { MailKind, UnsentMail } from "../../../accounts/mail/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { ListTable } from "../components/list-table.tsx";
import { LongText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";

const ABOUT: Readonly<Record<MailKind, string>> = {
  invitation: "Invitation",
  "password-reset": "New password",
  "owner-added": "New owner",
  "passkey-added": "Passkey added",
  "provider-linked": "Account linked",
  "password-changed": "Password changed",
  "password-set": "New password set with a link",
};

const COLUMNS = {
  To: ({ email }: UnsentMail) => <LongText text={email} />,
  About: ({ kind }: UnsentMail) => ABOUT[kind],
  Created: { cell: ({ createdAt }: UnsentMail) => <Timestamp at={createdAt} />, isLabelled: true },
  Problem: ({ reason }: UnsentMail) => reason,
  "Tried again": { cell: ({ isRetried }: UnsentMail) => (isRetried ? "Yes" : "No"), isLabelled: true },
};

interface UnsentMailsProps {
  readonly mails: readonly UnsentMail[];
  readonly reload: () => Promise<void>;
}

export function UnsentMails({ mails, reload }: UnsentMailsProps) {
  if (mails.length === 0) return null;
  return (
    <section class="card" aria-labelledby="unsent-mails">
      <h2 id="unsent-mails">Emails not sent</h2>
      <p>
        You can also send invited people a link yourself, and create password-reset links for people who need
        a new password.
      </p>
      <ListTable
        label="Mails not sent"
        rows={mails}
        columns={COLUMNS}
        actions={(mail) => !mail.isRetried && <SendAgain mail={mail} reload={reload} />}
      />
    </section>
  );
}

function SendAgain({ mail: { id, kind, email }, reload }: SendAgainProps) {
  return (
    <ActionButton
      class="secondary"
      label={`Send again: ${ABOUT[kind]}, to ${email}`}
      failure="The email was not queued."
      action={async () => {
        await call("POST", `/mails/${id}/redeliver`);
        announce(`The email to ${email} will be sent again`);
        await reload();
      }}
    >
      Send again
    </ActionButton>
  );
}

interface SendAgainProps extends Pick<UnsentMailsProps, "reload"> {
  readonly mail: UnsentMail;
}
