import { useSignal } from "@preact/signals";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import type { AccountView } from "../../../accounts/contract.ts";
import type { PasskeyChallenge } from "../../../accounts/passkeys/contract.ts";
import { ErrorAlert } from "../components/error-alert.tsx";
import { call } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { navigate } from "../router.ts";
import { hasPasskeys } from "./has-passkeys.ts";
import { addressAfterSignIn, signInAs } from "./session.ts";

/** Signs in without email and password; nothing where the browser has no passkeys. */
export function PasskeySignIn() {
  const isBusy = useSignal(false);
  const error = useSignal<PetstoreError | undefined>(undefined);

  async function signIn(): Promise<void> {
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
