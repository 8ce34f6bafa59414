import { announce } from "../components/announce.tsx";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { missing, PASSWORD_HINT } from "./credentials.ts";
import { account } from "./session.ts";

export function ChangePassword({ onChanged }: { readonly onChanged: () => Promise<void> }) {
  const form = useForm<"currentPassword" | "newPassword">({
    id: "password",
    initial: { currentPassword: "", newPassword: "" },
    isSecret: true,
    check: missing,
    async send(body) {
      await call("POST", "/account/password", { body });
      announce("Password changed. You're signed out on other devices.");
      document.getElementById("password-heading")?.focus();
      void onChanged();
    },
  });
  return (
    <section class="card">
      <h2 id="password-heading" tabIndex={-1}>
        Change password
      </h2>
      <Form form={form} label="Change password" submitLabel="Change password" busyLabel="Changing…">
        {/* With this hidden field, a password manager finds the right account. */}
        <input type="text" autocomplete="username" value={account.value?.email} readOnly hidden />
        <PasswordField
          form={form}
          name="currentPassword"
          label="Current password"
          autocomplete="current-password"
        />
        <PasswordField
          form={form}
          name="newPassword"
          label="New password"
          autocomplete="new-password"
          hint={`${PASSWORD_HINT} A new password signs you out on other devices.`}
        />
      </Form>
    </section>
  );
}
