import type { PasskeyCreation, PasskeyView } from "../../../accounts/passkeys/contract.ts";
import { announce } from "../components/announce.tsx";
import { useDialog } from "../components/dialog.tsx";
import { PasswordField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call, callDelete } from "../request.ts";
import { hasPasskeys, missing } from "./credentials.ts";
import { deviceName } from "./device-name.ts";

const DeleteDialog = lazyDialog(async () => (await import("../components/delete-dialog.tsx")).DeleteDialog);

interface PasskeysProps {
  readonly passkeys: readonly PasskeyView[];
  readonly onChanged: () => Promise<void>;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps) {
  const removing = useDialog<PasskeyView>();
  return (
    <section class="card" aria-labelledby="passkeys-heading">
      <h2 id="passkeys-heading" tabIndex={-1}>
        Passkeys
      </h2>
      <p class="muted">
        Sign in without a password: with your fingerprint, your face or your device's PIN. Your password still
        works.
      </p>
      {passkeys.length > 0 && (
        <ListTable
          label="Passkeys"
          rows={passkeys}
          columns={{
            Name: ({ name }) => <LongText text={name} />,
            For: ({ host }) => <LongText text={host} />,
            Added: {
              cell: ({ createdAt }) => <Timestamp at={createdAt} precision="day" />,
              isLabelled: true,
            },
            "Last used": {
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Timestamp at={lastUsedAt} />),
              isLabelled: true,
            },
            Actions: (passkey) => (
              <button
                type="button"
                class="link"
                aria-label={`Remove passkey ${shortName(passkey.name, "without a name")}`}
                onClick={() => removing.open(passkey)}
              >
                Remove
              </button>
            ),
          }}
        />
      )}
      {hasPasskeys ? (
        <AddPasskey onAdded={onChanged} />
      ) : (
        <p>Passkeys work only at an https address, or at http://localhost.</p>
      )}
      {removing.subject && (
        <DeleteDialog
          title="Remove this passkey?"
          send={() => callDelete(`/account/passkeys/${removing.subject?.id}`)}
          outcome="Passkey removed"
          confirmLabel="Remove passkey"
          cancelLabel="Cancel"
          onDeleted={onChanged}
          onClose={removing.close}
        >
          <p dir="auto">
            You won't be able to sign in with {removing.subject.name}. Use your password or another passkey.
            Also delete the passkey on the device.
          </p>
        </DeleteDialog>
      )}
    </section>
  );
}

function AddPasskey({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const form = useForm<"name" | "password">({
    id: "passkey",
    initial: { name: deviceName(navigator.userAgent), password: "" },
    isSecret: true,
    check: missing,
    async send({ name, password }) {
      const body = { password };
      const creation = await call<PasskeyCreation>("POST", "/account/passkeys/challenge", { body });
      const { createPasskey } = await import("./passkey-device.ts");
      const made = await createPasskey(creation);
      await call("POST", "/account/passkeys", { body: { name, ...made } });
      announce("Passkey added");
      document.getElementById("passkeys-heading")?.focus();
      void onAdded();
    },
  });
  return (
    <Form form={form} label="Add a passkey" submitLabel="Add passkey" busyLabel="Waiting for your device…">
      <TextField form={form} name="name" label="Passkey name" hint="For example: My phone" />
      <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
    </Form>
  );
}
