import { useSignal } from "@preact/signals";
import type { AccountView } from "../../../accounts/contract.ts";
import type { InvitationOffer } from "../../../accounts/invitations/contract.ts";
import { PasswordField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { ROLE_WORDS } from "../people/role.ts";
import { call } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { signInAs, signInReason } from "./session.ts";

const PASSWORD_HINT = "At least 8 characters. Several words in a row make a strong password.";

/** Token of a one-time link, from the URL fragment; read once, because "Skip to content" replaces the fragment. */
function useToken(): string {
  return useSignal(location.hash.slice(1)).value;
}

export function Invitation() {
  const token = useToken();
  const offer = useLoad((signal) =>
    call<InvitationOffer>("POST", "/invitation/read", { body: { token }, signal }),
  );
  return (
    <Screen title="Create your account">
      <Loading loaded={offer} what="the invitation">
        {(found) => <AcceptForm token={token} offer={found} />}
      </Loading>
    </Screen>
  );
}

function AcceptForm({ token, offer }: { readonly token: string; readonly offer: InvitationOffer }) {
  const form = useForm<"email" | "password">({
    id: "accept-invitation",
    initial: { email: offer.email ?? "", password: "" },
    isSecret: true,
    check: ({ email, password }) => ({
      ...(email.trim() === "" && { email: "is required" }),
      ...(password === "" && { password: "is required" }),
    }),
    async send(values) {
      const who = await call<AccountView>("POST", "/invitation/accept", { body: { token, ...values } });
      signInAs(who);
      navigate("/", { replace: true });
    },
  });
  return (
    <section class="card">
      <p>
        You are invited as <strong>{ROLE_WORDS[offer.role].toLowerCase()}</strong>.
      </p>
      <Form form={form} label="Create your account" submitLabel="Create account" busyLabel="Creating…">
        <TextField form={form} name="email" label="Email" type="email" autocomplete="username" />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autocomplete="new-password"
          hint={PASSWORD_HINT}
        />
      </Form>
    </section>
  );
}

export function ResetPassword() {
  const token = useToken();
  const form = useForm<"password">({
    id: "reset-password",
    initial: { password: "" },
    isSecret: true,
    check: ({ password }) => (password === "" ? { password: "is required" } : {}),
    async send({ password }) {
      await call("POST", "/password-reset", { body: { token, password } });
      signInAs(null);
      navigate("/sign-in", { replace: true });
      signInReason.value = "Your password is set, and every session has ended. Sign in with it.";
    },
  });
  return (
    <Screen title="Set a new password">
      <section class="card">
        <Form form={form} label="Set a new password" submitLabel="Set password" busyLabel="Saving…">
          <PasswordField
            form={form}
            name="password"
            label="New password"
            autocomplete="new-password"
            hint={PASSWORD_HINT}
          />
        </Form>
      </section>
    </Screen>
  );
}
