import type { Person } from "../../../accounts/contract.ts";
import type { OneTimeLink } from "../../../accounts/invitations/contract.ts";
import { loadSession } from "../account/session.ts";
import { announce } from "../components/announce.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { finishDialog } from "../components/dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { call, callDelete } from "../request.ts";
import { ROLE_CHOICES, showLink } from "./invite.tsx";

export function RemoveAccount({ id, email }: Person) {
  return (
    <DeleteDialog
      title={`Remove ${email}?`}
      send={() => callDelete(`/accounts/${id}`)}
      outcome={`${email} removed`}
      confirmLabel="Remove account"
      cancelLabel="Cancel"
    >
      <p>They'll be signed out, and their API keys stop working. This can't be undone.</p>
    </DeleteDialog>
  );
}

export function ResetLink({ id, email }: Person) {
  const form = useForm<never>({
    id: `reset-link-${id}`,
    initial: {},
    async send() {
      const made = await call<OneTimeLink>("POST", `/accounts/${id}/reset-link`);
      showLink(email, "The link sets a new password.", made);
    },
  });
  return (
    <FormDialog title={`New password for ${email}?`} form={form} submitLabel="Create link">
      <p>You get a link to send. The old password works until the new one is set.</p>
    </FormDialog>
  );
}

export function ChangeRole(person: Person) {
  const form = useForm<"role">({
    id: `role-${person.id}`,
    initial: { role: person.role },
    async send(body) {
      const { email, role } = await call<Person>("PATCH", `/accounts/${person.id}`, { body });
      announce(`${email}: ${role}`);
      finishDialog();
      // The session is loaded again, because owners can change their own role.
      await loadSession();
    },
  });
  return (
    <FormDialog title={`Role of ${person.email}`} form={form} submitLabel="Save role">
      <p>Takes effect immediately, even for the account's API keys.</p>
      <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
    </FormDialog>
  );
}
