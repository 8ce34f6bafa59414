import type { ListedPerson, Person } from "../../../accounts/contract.ts";
import type { OneTimeLink } from "../../../accounts/invitations/contract.ts";
import { account, loadSession } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { Dialog, useDialog } from "../components/dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { Invitations, type NewLink, NewLinkDialog } from "./invitations.tsx";
import { ROLE_CHOICES, ROLE_WORDS } from "./role.ts";

export function People() {
  const people = useLoad((signal) => call<readonly ListedPerson[]>("GET", "/accounts", { signal }));
  const newLink = useDialog<NewLink>();
  return (
    <Screen title="People">
      <div class="stack">
        <Invitations onLink={newLink.open} />
        <Loading loaded={people} what="the accounts">
          {(rows) => <PeopleTable people={rows} onChanged={people.reload} onLink={newLink.open} />}
        </Loading>
      </div>
      {newLink.subject && <NewLinkDialog {...newLink.subject} onClose={newLink.close} />}
    </Screen>
  );
}

interface PeopleTableProps {
  readonly people: readonly ListedPerson[];
  readonly onChanged: () => Promise<void>;
  readonly onLink: (link: NewLink) => void;
}

function PeopleTable({ people, onChanged, onLink }: PeopleTableProps) {
  const changing = useDialog<Person>();
  const removing = useDialog<Person>();
  async function makeResetLink({ id, email }: Person) {
    const made = await call<OneTimeLink>("POST", `/accounts/${id}/reset-link`);
    onLink({ ...made, title: "Password-reset link", text: `With it ${email} sets a new password, once.` });
  }
  return (
    <>
      <ListTable
        label="Accounts"
        rows={people}
        columns={{
          Email: ({ email }) => (
            <>
              <span class="breakable">{email}</span>
              {email === account.value?.email && <span class="detail">This is you</span>}
            </>
          ),
          Role: ({ role }) => ROLE_WORDS[role],
          Created: ({ createdAt }) => <Timestamp at={createdAt} precision="day" />,
          "Last seen": ({ lastSeenAt }) =>
            lastSeenAt === null ? (
              <span class="muted">Not signed in</span>
            ) : (
              <Timestamp at={lastSeenAt} precision="ago" />
            ),
          Actions: (person) => (
            <div class="row-actions">
              <button
                type="button"
                class="link"
                aria-label={`Change the role of ${person.email}`}
                onClick={() => changing.open(person)}
              >
                Role
              </button>
              <ActionButton
                class="link"
                label={`Make a password-reset link for ${person.email}`}
                failure="No link was made."
                action={() => makeResetLink(person)}
              >
                Reset link
              </ActionButton>
              <button
                type="button"
                class="link"
                aria-label={`Remove ${person.email}`}
                onClick={() => removing.open(person)}
              >
                Remove
              </button>
            </div>
          ),
        }}
      />
      {changing.subject && (
        <ChangeRole person={changing.subject} onChanged={onChanged} onClose={changing.close} />
      )}
      {removing.subject && (
        <RemoveAccount person={removing.subject} onDeleted={onChanged} onClose={removing.close} />
      )}
    </>
  );
}

function RemoveAccount({ person, ...listeners }: DeleteListeners & { readonly person: Person }) {
  return (
    <DeleteDialog
      title={`Remove ${person.email}?`}
      send={() => call("DELETE", `/accounts/${person.id}`)}
      outcome={`${person.email} removed`}
      confirmLabel="Remove account"
      cancelLabel="Keep account"
      {...listeners}
    >
      <p>Its sessions and API keys are refused from the next request on. This cannot be undone.</p>
    </DeleteDialog>
  );
}

interface ChangeRoleProps {
  readonly person: Person;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

function ChangeRole({ person, onChanged, onClose }: ChangeRoleProps) {
  const form = useForm<"role">({
    id: `role-${person.id}`,
    initial: { role: person.role },
    async send(body) {
      const { email, role } = await call<Person>("PATCH", `/accounts/${person.id}`, { body });
      announce(`${email}: ${ROLE_WORDS[role]}`);
      onClose();
      // The changed role may be the person's own.
      await loadSession();
      await onChanged();
    },
  });
  const keep = (
    <button type="button" class="secondary" onClick={onClose}>
      Keep role
    </button>
  );
  return (
    <Dialog title={`Role of ${person.email}`} onClose={onClose}>
      <p>It counts for the account's sessions and API keys within a second.</p>
      <Form form={form} label="Change role" submitLabel="Save role" busyLabel="Saving…" actions={keep}>
        <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
      </Form>
    </Dialog>
  );
}
