import type { MadeKey } from "../../../keys/contract.ts";
import { mayChange, session } from "../account/session.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { ACCESS_WORDS } from "./key-state.ts";

type KeyField = "name" | "access" | "expiresAt";

const ACCESSES = Object.entries(ACCESS_WORDS)
  .map(([value, label]) => ({ value, label }))
  .reverse();

export function NewKey() {
  const form = useForm<KeyField>({
    id: "new-key",
    initial: { name: "", access: mayChange.value ? "read-write" : "read", expiresAt: "" },
    check: ({ name }) => (name.trim() === "" ? { name: "is required" } : {}),
    async send({ expiresAt, ...values }) {
      const body = { ...values, expiresAt: expiresAt ? new Date(`${expiresAt}T00:00`).toISOString() : null };
      showKey(await call<MadeKey>("POST", "/keys", { body }));
    },
  });
  return (
    <FormDialog title="New key" form={form} submitLabel="Generate key">
      <TextField form={form} name="name" label="Name" hint="What it is for, such as “price display”." />
      <ChoiceField
        form={form}
        name="access"
        label="Access"
        choices={mayChange.value ? ACCESSES : ACCESSES.filter(({ value }) => value === "read")}
      />
      <TextField
        form={form}
        name="expiresAt"
        label="Expires"
        type="date"
        hint="The key works until that day begins."
        isOptional
      />
    </FormDialog>
  );
}

export function showKey({ token }: MadeKey): void {
  const curl = `curl ${session.value?.api}/pets -H "Authorization: Bearer ${token}"`;
  openDialog(
    <CopyDialog title="Your new key" what="key" secret={token} example={curl}>
      Copy the key now: it is not shown again. The store keeps only its SHA-256 hash.
    </CopyDialog>,
  );
}
