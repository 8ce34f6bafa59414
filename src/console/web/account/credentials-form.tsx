import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import type { AccountView } from "../../../accounts/contract.ts";
import type { PasskeyChallenge } from "../../../accounts/passkeys/contract.ts";
import { ErrorAlert } from "../components/error-alert.tsx";
import { PasswordField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Screen } from "../components/screen.tsx";
import { call } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { navigate, route } from "../router.ts";
import { hasPasskeys } from "./has-passkeys.ts";
import { addressAfterSignIn, session, signInAs, signInReason } from "./session.ts";

interface CredentialsFormProps {
  readonly title: string;
  readonly path: "/session" | "/accounts";
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly passwordAutocomplete: "current-password" | "new-password";
  readonly passwordHint?: string;
  readonly children: ComponentChildren;
}

function CredentialsForm(props: CredentialsFormProps) {
  const { title, path, submitLabel, busyLabel, passwordAutocomplete, passwordHint, children } = props;
  const form = useForm<"email" | "password">({
    id: "credentials",
    initial: { email: "", password: "" },
    isSecret: true,
    check: ({ email, password }) => ({
      ...(email.trim() === "" && { email: "is required" }),
      ...(password === "" && { password: "is required" }),
    }),
    async send(body) {
      const who = await call<AccountView>("POST", path, { body });
      const address = addressAfterSignIn();
      signInAs(who);
      navigate(address, { replace: true });
      // Not awaited: the page is complete without it.
      if (path === "/session")
        void import("./passkey-offer.tsx").then(({ offerPasskey }) => offerPasskey()).catch(() => {});
    },
  });
  return (
    <Screen title={title}>
      {signInReason.value !== "" && (
        <p class="alert notice" role="status">
          {signInReason}
        </p>
      )}
      <section class="card">
        <Form form={form} label={title} submitLabel={submitLabel} busyLabel={busyLabel}>
          <TextField form={form} name="email" label="Email" type="email" autocomplete="username" />
          <PasswordField
            form={form}
            name="password"
            label="Password"
            autocomplete={passwordAutocomplete}
            hint={passwordHint}
          />
        </Form>
      </section>
      {children}
    </Screen>
  );
}

export function SignIn() {
  const isOpen = session.value?.signUp === "open";
  return (
    <CredentialsForm
      title="Sign in"
      path="/session"
      submitLabel="Sign in"
      busyLabel="Signing in…"
      passwordAutocomplete="current-password"
    >
      <PasskeySignIn />
      {isOpen ? (
        <p>
          New here? <a href={`/sign-up${search()}`}>Create an account</a>
        </p>
      ) : (
        <p class="muted">{NO_SIGN_UP[session.value?.signUp === "invite" ? "invite" : "closed"]}</p>
      )}
    </CredentialsForm>
  );
}

const NO_SIGN_UP = {
  invite:
    "Accounts are made by invitation. Ask an owner of this store for a link, also when you forgot your password.",
  closed: "Sign-up is closed. Ask the operator of this store for an account.",
} as const;

export function SignUp() {
  if (session.value?.signUp !== "open") return <SignUpClosed />;
  return (
    <CredentialsForm
      title="Create an account"
      path="/accounts"
      submitLabel="Create account"
      busyLabel="Creating…"
      passwordAutocomplete="new-password"
      passwordHint="At least 8 characters. Several words in a row make a strong password."
    >
      <p>
        Have an account? <a href={`/sign-in${search()}`}>Sign in</a>
      </p>
    </CredentialsForm>
  );
}

function SignUpClosed() {
  return (
    <Screen title="Create an account">
      <p>{NO_SIGN_UP[session.value?.signUp === "invite" ? "invite" : "closed"]}</p>
      <p>
        Have an account? <a href="/sign-in">Sign in</a>
      </p>
    </Screen>
  );
}

/** Query string for links between the sign-in and sign-up forms: passes on `next`, the address after sign-in. */
function search(): string {
  const { query } = route.value;
  return query.size === 0 ? "" : `?${query}`;
}

function PasskeySignIn() {
  const isBusy = useSignal(false);
  const error = useSignal<PetstoreError | undefined>(undefined);

  async function signIn() {
    isBusy.value = true;
    error.value = undefined;
    try {
      const challenge = await call<PasskeyChallenge>("POST", "/session/passkey/challenge");
      const { signWithPasskey } = await import("./passkey-device.ts");
      const body = await signWithPasskey(challenge);
      const who = await call<AccountView>("POST", "/session/passkey", { body });
      const address = addressAfterSignIn();
      signInAs(who);
      navigate(address, { replace: true });
    } catch (caught) {
      error.value = toPetstoreError(caught);
      isBusy.value = false;
    }
  }

  if (!hasPasskeys) return null;
  return (
    <section aria-label="Passkey">
      {error.value && <ErrorAlert error={error.value} />}
      <button
        type="button"
        class="secondary"
        disabled={isBusy.value}
        aria-busy={isBusy.value}
        onClick={() => void signIn()}
      >
        {isBusy.value ? "Waiting for your device…" : "Use a passkey"}
      </button>
    </section>
  );
}
