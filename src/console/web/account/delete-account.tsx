import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { missing } from "./credentials.ts";
import { endSession } from "./session.ts";

export function DeleteAccount() {
  const form = useForm<"password">({
    id: "delete-account",
    initial: { password: "" },
    isSecret: true,
    check: missing,
    async send(body) {
      await call("POST", "/account/delete", { body });
      endSession("Your account has been deleted.");
    },
  });
  return (
    <>
      <p>
        This deletes your account and its API keys, and signs you out everywhere. Programs that use these keys
        stop working. Animals, orders and messages stay. This can't be undone.
      </p>
      <Form form={form} label="Delete account" submitLabel="Delete account" busyLabel="Deleting…" isDangerous>
        <PasswordField form={form} name="password" label="Password" autocomplete="current-password" />
      </Form>
    </>
  );
}
