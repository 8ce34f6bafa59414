import { useSignal } from "@preact/signals";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";

/**
 * Requests an email with a link for setting a new password. The page shows the same text whether or not the address has an
 * account.
 */
export function ForgotPassword() {
  const askedFor = useSignal("");
  const form = useForm<"email">({
    id: "forgot-password",
    initial: { email: "" },
    check: ({ email }) => (email.trim() === "" ? { email: "is required" } : {}),
    async send(body) {
      await call("POST", "/password-reset/request", { body });
      askedFor.value = body.email.trim();
    },
  });
  return (
    <details>
      <summary>Forgot your password?</summary>
      {askedFor.value === "" ? (
        <Form form={form} label="Forgot your password?" submitLabel="Send link" busyLabel="Sending…">
          <TextField form={form} name="email" label="Your email" type="email" autocomplete="username" />
        </Form>
      ) : (
        <p role="status">
          If {askedFor} has an account, a link to set a new password is on its way. The email may take a few
          minutes.
        </p>
      )}
    </details>
  );
}
