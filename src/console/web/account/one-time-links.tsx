import { useSignal } from "@preact/signals";
import type { InvitationOffer } from "../../../accounts/invitations/contract.ts";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { missing, PASSWORD_HINT } from "./credentials.ts";
import { CredentialsForm } from "./credentials-form.tsx";
import { endSession, session } from "./session.ts";

/**
 * Returns the token of a one-time link, which is in the fragment of the URL. The token is read only once, because following the
 * link "Skip to content" changes the fragment.
 */
function useToken(): string {
  return useSignal(location.hash.slice(1)).value;
}

export function Invitation() {
  const token = useToken();
  const offer = useLoad((signal) =>
    call<InvitationOffer>("POST", "/invitation/read", { body: { token }, signal }),
  );
  const isFirst = session.value?.hasOwner === false;
  const title = isFirst ? "Create the owner's account" : "Create your account";
  return (
    <Screen title={title}>
      <Loading loaded={offer} what="the invitation">
        {({ email, role }) => (
          <CredentialsForm label={title} path="/invitation/accept" token={token} email={email ?? ""}>
            {isFirst ? (
              <p>This is the store's first account. Its owner can change everything, and invite others.</p>
            ) : (
              <p>
                You've been invited as <strong>{role}</strong>.
              </p>
            )}
          </CredentialsForm>
        )}
      </Loading>
    </Screen>
  );
}

export function ResetPassword() {
  const token = useToken();
  const form = useForm<"password">({
    id: "reset-password",
    initial: { password: "" },
    isSecret: true,
    check: missing,
    async send({ password }) {
      await call("POST", "/password-reset", { body: { token, password } });
      endSession("You're signed out everywhere. Sign in with your new password.");
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
