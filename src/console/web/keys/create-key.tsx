import type { MadeKey } from "../../../keys/contract.ts";
import { mayChange } from "../account/session.ts";
import { useDialog } from "../components/dialog.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { type Problems, useForm, type Values } from "../components/form-state.ts";
import { call } from "../request.ts";
import { ACCESS_WORDS } from "./api-key.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";

type KeyField = "name" | "access" | "expiry" | "expiresAt";

const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "On a date" },
] as const;

const ACCESSES = Object.entries(ACCESS_WORDS)
  .map(([value, label]) => ({ value, label }))
  .reverse();

const DAY_MS = 86_400_000;

export function CreateKey({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const newKey = useDialog<string>();
  const form = useForm<KeyField>({
    id: "new-key",
    initial: { name: "", access: mayChange.value ? "read-write" : "read", expiry: "never", expiresAt: "" },
    check: checkKey,
    async send(values) {
      const { name, access } = values;
      const body = { name, access, expiresAt: expiryOf(values) };
      const { token } = await call<MadeKey>("POST", "/keys", { body });
      newKey.open(token);
      document.getElementById("new-key-name")?.focus();
      void onCreated();
      return undefined;
    },
  });
  return (
    <section class="card">
      <h2>New key</h2>
      <Form form={form} label="Generate a key" submitLabel="Generate key" busyLabel="Generating…">
        <TextField form={form} name="name" label="Name" hint="What it is for, such as “price display”." />
        <ChoiceField
          form={form}
          name="access"
          label="Access"
          choices={mayChange.value ? ACCESSES : ACCESSES.filter(({ value }) => value === "read")}
        />
        <ChoiceField form={form} name="expiry" label="Expires" choices={EXPIRIES} />
        {form.values.expiry === "date" && (
          <TextField
            form={form}
            name="expiresAt"
            label="Expiry date"
            type="date"
            hint="The key works until that day begins."
          />
        )}
      </Form>
      {newKey.subject && <NewKeyDialog token={newKey.subject} onClose={newKey.close} />}
    </section>
  );
}

function checkKey({ name, expiry, expiresAt }: Values<KeyField>): Problems {
  return {
    ...(name.trim() === "" && { name: "is required" }),
    ...(expiry === "date" && expiresAt === "" && { expiresAt: "is required" }),
  };
}

function expiryOf({ expiry, expiresAt }: Values<KeyField>): string | null {
  if (expiry === "never") return null;
  if (expiry === "date") return new Date(`${expiresAt}T00:00`).toISOString();
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}
