import type { ComponentChildren } from "preact";
import { PasswordField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { call } from "../request.ts";
import { navigate } from "../router.ts";
import { missing, PASSWORD_HINT } from "./credentials.ts";
import { addressAfterSignIn, readSession } from "./session.ts";

interface CredentialsFormProps {
  readonly label: string;
  readonly path: "/session" | "/accounts" | "/invitation/accept";
  /** The token of the invitation that the person accepts. */
  readonly token?: string;
  readonly email?: string;
  readonly children?: ComponentChildren;
}

/** A form that signs a person in, or creates an account and signs in with it. */
export function CredentialsForm({ label, path, token, email = "", children }: CredentialsFormProps) {
  const isNew = path !== "/session";
  const form = useForm<"email" | "password">({
    id: "credentials",
    initial: { email, password: "" },
    isSecret: true,
    check: missing,
    async send(values) {
      await call("POST", path, { body: { token, ...values } });
      await enter();
      // The offer to add a passkey is loaded in the background, so that people can use the page before the offer appears.
      if (!isNew)
        void import("./passkey-offer.tsx").then(({ offerPasskey }) => offerPasskey()).catch(() => {});
    },
  });
  return (
    <section class="card">
      {children}
      <Form
        form={form}
        label={label}
        submitLabel={isNew ? "Create account" : "Sign in"}
        busyLabel={isNew ? "Creating…" : "Signing in…"}
      >
        <TextField form={form} name="email" label="Email" type="email" autocomplete="username" />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autocomplete={isNew ? "new-password" : "current-password"}
          hint={isNew && PASSWORD_HINT}
        />
      </Form>
    </section>
  );
}

/** Opens the page that the person wanted to see before signing in. */
export async function enter() {
  const address = addressAfterSignIn();
  await readSession();
  navigate(address, { replace: true });
}
