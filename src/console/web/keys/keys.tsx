import type { KeyView, MadeKey } from "../../../keys/contract.ts";
import { isOwner, mayChange, session } from "../account/session.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { CopyDialog, useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { type Problems, useForm, type Values } from "../components/form-state.ts";
import { lazy } from "../components/lazy.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Snippet } from "../components/snippet.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { ACCESS_WORDS, KeyTable } from "./key-table.tsx";

const DAY_MS = 86_400_000;

const KeyRequests = lazy(async () => (await import("./key-requests.tsx")).KeyRequests);
const ReplaceKey = lazy(async () => (await import("./replace-key.tsx")).ReplaceKey);

export function Keys() {
  const ofAll = isOwner.value && route.value.query.get("of") === "all";
  const path = ofAll ? "/keys/all" : "/keys";
  const keys = useLoad((signal) => call<readonly KeyView[]>("GET", path, { signal }), [path]);
  const revoking = useDialog<KeyView>();
  const explaining = useDialog<KeyView>();
  const replacing = useDialog<KeyView>();
  const newKey = useDialog<string>();
  function showReplacement(token: string) {
    replacing.close();
    newKey.open(token);
    void keys.reload();
  }
  return (
    <Screen title="API keys">
      <div class="stack">
        <CreateKey onCreated={keys.reload} />
        {isOwner.value && (
          <p>
            {ofAll ? (
              <a href="/keys">Show only your keys</a>
            ) : (
              <a href="/keys?of=all">Show everybody's keys</a>
            )}
          </p>
        )}
        <Loading loaded={keys} what={ofAll ? "the keys" : "your keys"}>
          {(value) =>
            value.length === 0 ? (
              <NoKeys />
            ) : (
              <KeyTable
                keys={value}
                onExplain={explaining.open}
                onReplace={replacing.open}
                onRevoke={revoking.open}
              />
            )
          }
        </Loading>
      </div>
      {revoking.subject && (
        <RevokeKey apiKey={revoking.subject} onDeleted={keys.reload} onClose={revoking.close} />
      )}
      {explaining.subject && <KeyRequests apiKey={explaining.subject} onClose={explaining.close} />}
      {replacing.subject && (
        <ReplaceKey apiKey={replacing.subject} onReplaced={showReplacement} onClose={replacing.close} />
      )}
      {newKey.subject && <NewKeyDialog token={newKey.subject} onClose={newKey.close} />}
    </Screen>
  );
}

function NoKeys() {
  return (
    <Empty title="No keys yet.">
      <p>Programs need an API key to call the API. Generate the first one.</p>
    </Empty>
  );
}

function RevokeKey({ apiKey, ...listeners }: DeleteListeners & { readonly apiKey: KeyView }) {
  const name = shortName(apiKey.name, apiKey.id);
  return (
    <DeleteDialog
      title={`Revoke ${name}?`}
      send={() => call("DELETE", `/keys/${apiKey.id}`)}
      outcome={`${name} revoked`}
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      {...listeners}
    >
      <p>Programs that use it are refused from the next request on. This cannot be undone.</p>
    </DeleteDialog>
  );
}

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

function CreateKey({ onCreated }: { readonly onCreated: () => Promise<void> }) {
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

function NewKeyDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const curl = `curl ${session.value?.api}/pets -H "Authorization: Bearer ${token}"`;
  return (
    <CopyDialog title="Your new key" what="key" onClose={onClose}>
      <p>Copy the key now: it is not shown again. The store keeps only its SHA-256 hash.</p>
      <Snippet id="token" heading="Key" text={token} what="key" />
      <Snippet id="curl" heading="Try it in a terminal" text={curl} what="command" />
    </CopyDialog>
  );
}
