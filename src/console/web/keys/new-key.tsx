import type { KeyView, MadeKey } from "../../../keys/contract.ts";
import { mayChange, session } from "../account/session.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { call } from "../request.ts";
import { ACCESS_WORDS } from "./access-words.ts";

const ACCESSES = Object.entries(ACCESS_WORDS).map(([value, label]) => ({ value, label }));

export function NewKey() {
  const form = useForm<"name" | "access" | "expiresAt">({
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
      <TextField form={form} name="name" label="Name" hint="What the key is for, such as “price display”." />
      <ChoiceField
        form={form}
        name="access"
        label="Access"
        choices={mayChange.value ? ACCESSES : ACCESSES.filter(({ value }) => value === "read")}
        hint="“Read and sell” is for a till: the key can also place, complete and cancel orders."
      />
      <TextField
        form={form}
        name="expiresAt"
        label="Expires"
        type="date"
        hint="The key expires at the start of this day."
        isOptional
      />
    </FormDialog>
  );
}

function showKey({ token }: MadeKey): void {
  const curl = `curl ${session.value?.api}/pets -H "Authorization: Bearer ${token}"`;
  openDialog(
    <CopyDialog title="Your new key" what="key" secret={token} example={curl}>
      Copy the key now. You won't see it again, because petstore stores only a hash of the key.
    </CopyDialog>,
  );
}

const OVERLAPS = [
  { value: "0", label: "Not at all" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
] as const;

export function ReplaceKey({ id, name }: KeyView) {
  const form = useForm<"overlap">({
    id: `replace-${id}`,
    initial: { overlap: "24" },
    isSecret: true,
    async send({ overlap }) {
      const body = { overlapHours: Number(overlap) };
      showKey(await call<MadeKey>("POST", `/keys/${id}/rotate`, { body }));
    },
  });
  return (
    <FormDialog title={`Replace ${shortName(name, id)}?`} form={form} submitLabel="Replace key">
      <p>
        You get a new key with the same name and access. It is valid for as long as the old key was, starting
        now.
      </p>
      <ChoiceField
        form={form}
        name="overlap"
        label="The old key works for"
        choices={OVERLAPS}
        hint="Choose a time that is long enough to give every program the new key."
      />
    </FormDialog>
  );
}
