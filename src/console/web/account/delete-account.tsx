import { Dialog, useDialog } from "../components/dialog.tsx";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { endSession } from "./session.ts";

export function DeleteAccount() {
  const dialog = useDialog<true>();
  return (
    <section class="card danger-zone" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete account</h2>
      <p>
        This deletes your account, its API keys and its sessions for good. Animals, orders and messages stay.
      </p>
      <button type="button" class="danger" onClick={() => dialog.open(true)}>
        Delete account…
      </button>
      {dialog.subject && <DeleteAccountDialog onClose={dialog.close} />}
    </section>
  );
}

function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useForm<"password">({
    id: "delete-account",
    initial: { password: "" },
    isSecret: true,
    check: ({ password }) => (password === "" ? { password: "is required" } : {}),
    async send(body) {
      await call("POST", "/account/delete", { body });
      endSession("Your account is deleted.");
      return undefined;
    },
  });
  const keep = (
    <button type="button" class="secondary" onClick={onClose}>
      Keep account
    </button>
  );
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <p>Programs that use its API keys are refused from the next request on. This cannot be undone.</p>
      <Form
        form={form}
        label="Delete account"
        submitLabel="Delete account"
        busyLabel="Deleting…"
        isDangerous
        actions={keep}
      >
        <PasswordField form={form} name="password" label="Password" autocomplete="current-password" />
      </Form>
    </Dialog>
  );
}
