import type { PasskeyView } from "../../../accounts/passkeys/contract.ts";
import { call } from "../request.ts";
import { hasPasskeys } from "./has-passkeys.ts";
import { offer } from "./session.ts";

/** Stored in this browser, for all accounts that use it. */
const DECLINED = "passkey declined";

/** Called after a sign-in with a password: offers a passkey if this device can create one and has none yet. */
export async function offerPasskey(): Promise<void> {
  if (!hasPasskeys || localStorage.getItem(DECLINED) !== null) return;
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return;
  const passkeys = await call<readonly PasskeyView[]>("GET", "/account/passkeys");
  if (passkeys.every(({ host }) => host !== location.hostname)) offer.value = PasskeyOffer;
}

function PasskeyOffer() {
  function close() {
    offer.value = undefined;
    document.querySelector("h1")?.focus();
  }
  function decline() {
    localStorage.setItem(DECLINED, "");
    close();
  }
  return (
    <aside class="card offer" aria-label="Passkey">
      <p>Sign in without a password on this device next time: with your fingerprint, face or PIN.</p>
      <div class="actions">
        <a href="/account" class="button" onClick={close}>
          Add a passkey
        </a>
        <button type="button" class="secondary" onClick={decline}>
          Not now
        </button>
      </div>
    </aside>
  );
}
