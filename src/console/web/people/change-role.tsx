import type { Person } from "../../../accounts/contract.ts";
import { loadSession } from "../account/session.ts";
import { announce } from "../components/announce.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { ROLE_CHOICES, ROLE_WORDS } from "./role.ts";

interface ChangeRoleProps {
  readonly person: Person;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

export function ChangeRole({ person, onChanged, onClose }: ChangeRoleProps) {
  const form = useForm<"role">({
    id: `role-${person.id}`,
    initial: { role: person.role },
    async send(body) {
      const { email, role } = await call<Person>("PATCH", `/accounts/${person.id}`, { body });
      announce(`${email}: ${ROLE_WORDS[role]}`);
      onClose();
      // The role may have been one's own.
      await loadSession();
      await onChanged();
      return undefined;
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
