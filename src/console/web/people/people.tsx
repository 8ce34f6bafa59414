import type { ListedPerson } from "../../../accounts/contract.ts";
import type { InvitationView } from "../../../accounts/invitations/contract.ts";
import type { UnsentMail } from "../../../accounts/mail/contract.ts";
import { account, session } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { wordColumn } from "../components/columns.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { capitalized } from "../format.ts";
import { callDelete, type Page } from "../request.ts";

import { PersonMenu } from "./person-menu.tsx";
import { UnsentMails } from "./unsent-mails.tsx";

const Invite = lazyDialog(async () => (await import("./invite.tsx")).Invite);

type Listed = ListedPerson | InvitationView;

export function People() {
  const people = usePage<ListedPerson>("/accounts");
  const invitations = usePage<InvitationView>("/invitations");
  const invited = invitations.value?.items ?? [];
  const page: Page<Listed> | undefined = people.value && {
    ...people.value,
    items: [...people.value.items, ...invited],
  };
  const unsent = usePage<UnsentMail>("/mails/unsent");
  const isClosed = session.value?.signUp === "closed";
  return (
    <ListScreen<Listed>
      title="People"
      create={!isClosed && { label: "Invite", dialog: <Invite /> }}
      what="people"
      loaded={{ ...people, update() {}, value: page }}
      onFinished={async () =>
        void (await Promise.all([people.reload(), invitations.reload(), unsent.reload()]))
      }
      empty="No people yet."
      hint="Invite the people who work here."
      columns={COLUMNS}
      actions={(one) =>
        isInvitation(one) ? (
          <CancelInvitation invitation={one} reload={invitations.reload} />
        ) : (
          <PersonMenu {...one} />
        )
      }
    >
      <UnsentMails mails={unsent.value?.items ?? []} reload={unsent.reload} />
      {isClosed && (
        <p>
          You can't invite anybody, because sign-up is closed (<code>PETSTORE_SIGN_UP</code>). Create accounts
          at the command line: <code>petstore accounts create EMAIL</code>
        </p>
      )}
    </ListScreen>
  );
}

function isInvitation(one: Listed): one is InvitationView {
  return "expiresAt" in one;
}

const COLUMNS = {
  Email: ({ email }: Listed) =>
    email === account.value?.email ? `${email} (you)` : (email ?? "Any address"),
  Role: wordColumn(({ role }: Listed) => capitalized(role)),
  "Last seen": {
    cell: (one: Listed) => {
      if (isInvitation(one)) {
        return (
          <>
            Invited until <Timestamp at={one.expiresAt} precision="day" />
          </>
        );
      }
      return one.lastSeenAt === null ? "Not signed in" : <Timestamp at={one.lastSeenAt} precision="ago" />;
    },
    width: "min(24cqi, 14rem)",
    isWrapped: true,
  },
};

interface CancelInvitationProps {
  readonly invitation: InvitationView;
  readonly reload: () => Promise<void>;
}

function CancelInvitation({ invitation: { id, email }, reload }: CancelInvitationProps) {
  async function withdraw() {
    await callDelete(`/invitations/${id}`);
    announce(`Invitation of ${email ?? "anybody"} cancelled`);
    await reload();
  }
  return (
    <ActionButton
      class="secondary"
      label={`Cancel invitation of ${email ?? "anybody"}`}
      failure="The invitation was not cancelled."
      action={withdraw}
    >
      Cancel invitation
    </ActionButton>
  );
}
