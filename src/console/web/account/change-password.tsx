import { announce } from "../components/announce.tsx";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";

interface ChangePasswordProps {
  readonly email: string;
  readonly onChanged: () => Promise<void>;
}

export function ChangePassword({ email, onChanged }: ChangePasswordProps) {
  const form = useForm<"currentPassword" | "newPassword">({
    id: "password",
    initial: { currentPassword: "", newPassword: "" },
    isSecret: true,
    check: ({ currentPassword, newPassword }) => ({
      ...(currentPassword === "" && { currentPassword: "is required" }),
      ...(newPassword === "" && { newPassword: "is required" }),
    }),
    async send(body) {
      await call("POST", "/account/password", { body });
      announce("Password changed. Every other session has ended.");
      document.getElementById("password-heading")?.focus();
      void onChanged();
      return undefined;
    },
  });
  return (
    <section class="card">
      <h2 id="password-heading" tabIndex={-1}>
        Change password
      </h2>
      <Form form={form} label="Change password" submitLabel="Change password" busyLabel="Changing…">
        {/* For password managers. */}
        <input type="text" autocomplete="username" value={email} readOnly hidden />
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
          hint="At least 8 characters. Several words in a row make a strong password. Changing it ends every other session."
        />
      </Form>
    </section>
  );
}
