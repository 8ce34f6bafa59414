import type { InvitationView, OneTimeLink } from "../../../accounts/invitations/contract.ts";
import { session } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { CopyDialog } from "../components/dialog.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { Snippet } from "../components/snippet.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { ROLE_CHOICES, ROLE_WORDS } from "./role.ts";

export function Invitations({ onLink }: { readonly onLink: (link: NewLink) => void }) {
  const invitations = useLoad((signal) => call<readonly InvitationView[]>("GET", "/invitations", { signal }));
  if (session.value?.signUp === "closed") return <ClosedSignUp />;
  const open = invitations.value ?? [];
  return (
    <>
      <InvitePerson onLink={onLink} onInvited={invitations.reload} />
      {open.length > 0 && <InvitationTable invitations={open} onWithdrawn={invitations.reload} />}
    </>
  );
}

function ClosedSignUp() {
  return (
    <p>
      Nobody can be invited: sign-up is closed (<code>PETSTORE_SIGN_UP</code>). Make an account at the command
      line: <code>petstore accounts create EMAIL</code>
    </p>
  );
}

interface InvitePersonProps {
  readonly onLink: (link: NewLink) => void;
  readonly onInvited: () => Promise<void>;
}

function InvitePerson({ onLink, onInvited }: InvitePersonProps) {
  const form = useForm<"email" | "role">({
    id: "invitation",
    initial: { email: "", role: "staff" },
    check: ({ email }) => (email.trim() === "" ? { email: "is required" } : {}),
    async send(body) {
      const made = await call<OneTimeLink>("POST", "/invitations", { body });
      onLink({
        ...made,
        title: "Invitation",
        text: `With it ${body.email.trim()} creates an account, once.`,
      });
      void onInvited();
    },
  });
  return (
    <section class="card">
      <h2>Invite a person</h2>
      <Form form={form} label="Invite a person" submitLabel="Make link" busyLabel="Making…">
        <TextField form={form} name="email" label="Email" type="email" />
        <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
      </Form>
    </section>
  );
}

interface InvitationTableProps {
  readonly invitations: readonly InvitationView[];
  readonly onWithdrawn: () => Promise<void>;
}

function InvitationTable({ invitations, onWithdrawn }: InvitationTableProps) {
  async function withdraw({ id, email }: InvitationView) {
    await call("DELETE", `/invitations/${id}`);
    announce(`The invitation of ${email ?? "anybody"} is withdrawn`);
    // The heading gets the focus of the removed button, which would fall to the body.
    document.querySelector("h1")?.focus();
    await onWithdrawn();
  }
  return (
    <ListTable
      label="Open invitations"
      rows={invitations}
      columns={{
        Invitation: ({ email }) => <span class="breakable">{email ?? "For any address"}</span>,
        Role: ({ role }) => ROLE_WORDS[role],
        "Works until": ({ expiresAt }) => <Timestamp at={expiresAt} />,
        Actions: (invitation) => (
          <ActionButton
            class="link"
            label={`Withdraw the invitation of ${invitation.email ?? "anybody"}`}
            failure="The invitation was not withdrawn."
            action={() => withdraw(invitation)}
          >
            Withdraw
          </ActionButton>
        ),
      }}
    />
  );
}

export interface NewLink {
  readonly link: string;
  readonly expiresAt: string;
  readonly title: string;
  readonly text: string;
}

export function NewLinkDialog({
  link,
  expiresAt,
  title,
  text,
  onClose,
}: NewLink & { readonly onClose: () => void }) {
  return (
    <CopyDialog title={title} what="link" onClose={onClose}>
      <p>
        {text} Send it by a way that others do not read. It works until <Timestamp at={expiresAt} />, is not
        shown again, and ends the link before it.
      </p>
      <Snippet id="link" heading="Link" text={link} what="link" />
    </CopyDialog>
  );
}
