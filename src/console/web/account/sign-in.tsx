import type { PasskeyChallenge } from "../../../accounts/passkeys/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { lazy } from "../components/lazy.tsx";
import { Screen } from "../components/screen.tsx";
import { isStaging } from "../environment.ts";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { hasPasskeys } from "./credentials.ts";
import { CredentialsForm, enter } from "./credentials-form.tsx";
import { session, signInReason } from "./session.ts";

const ForgotPassword = lazy(async () => (await import("./forgot-password.tsx")).ForgotPassword);
const ProviderSignIn = lazy(async () => (await import("./provider.tsx")).ProviderSignIn);

const NO_SIGN_UP = {
  invite: "You need an invitation to create an account. Ask an owner of this store for a link",
  closed: "Sign-up is closed. Ask the operator of this store for an account",
} as const;

/**
 * The text that is shown if staging has refused a sign-in from production's console. The text is not taken from the address,
 * because anybody can make a link to this page.
 */
const NOT_TRANSFERRED =
  "Signing in from production failed. Sign in here, or go back to production and choose Staging again.";

export function SignIn() {
  const signUp = session.value?.signUp ?? "closed";
  const sendsMail = session.value?.sendsMail ?? false;
  if (session.value?.hasOwner === false && signUp !== "open") return <NoOwner signUp={signUp} />;
  const reason = signInReason.value || (route.value.query.has("from") && NOT_TRANSFERRED);
  return (
    <Screen title="Sign in">
      {reason && (
        <p class="alert notice" role="status">
          {reason}
        </p>
      )}
      {isStaging && (
        <p>Staging has the same accounts: sign in with your email and password from production.</p>
      )}
      <CredentialsForm label="Sign in" path="/session" />
      {hasPasskeys && <PasskeySignIn />}
      {sendsMail && <ForgotPassword />}
      {session.value?.provider && <ProviderSignIn name={session.value.provider} />}
      {signUp === "open" ? (
        <p>
          New here? <a href={`/sign-up?${route.value.query}`}>Create an account</a>
        </p>
      ) : (
        <p class="muted">
          {NO_SIGN_UP[signUp]}
          {sendsMail ? "." : ", even if you forgot your password."}
        </p>
      )}
    </Screen>
  );
}

/**
 * The page that is shown until the store has an owner. Nobody can sign in yet, because the first account must be created with a
 * link or a command.
 */
function NoOwner({ signUp }: { readonly signUp: keyof typeof NO_SIGN_UP }) {
  return (
    <Screen title="No owner yet">
      {signUp === "invite" ? (
        <>
          <p>Open the owner's link. It was printed in the terminal where petstore was started.</p>
          <p>
            To get a new link, run <code>petstore accounts invite</code> on that machine or in the container.
          </p>
        </>
      ) : (
        <p>
          To create the owner's account, run <code>petstore accounts create EMAIL</code> on the machine where
          petstore runs, or in the container.
        </p>
      )}
    </Screen>
  );
}

export function SignUp() {
  if (session.value?.signUp !== "open") return <SignIn />;
  return (
    <Screen title="Create an account">
      <CredentialsForm label="Create an account" path="/accounts" />
      <p>
        Have an account? <a href={`/sign-in?${route.value.query}`}>Sign in</a>
      </p>
    </Screen>
  );
}

function PasskeySignIn() {
  async function signIn() {
    const challenge = await call<PasskeyChallenge>("POST", "/session/passkey/challenge");
    const { signWithPasskey } = await import("./passkey-device.ts");
    await call("POST", "/session/passkey", { body: await signWithPasskey(challenge) });
    await enter();
  }
  return (
    <section aria-label="Passkey">
      <ActionButton class="secondary" failure="You are not signed in." action={signIn}>
        Use a passkey
      </ActionButton>
    </section>
  );
}
