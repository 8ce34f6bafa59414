import type { PasskeyView } from "../../../accounts/passkeys/contract.ts";
import { call } from "../request.ts";
import { browserStorage } from "../storage.ts";
import { hasPasskeys } from "./credentials.ts";
import { offer } from "./session.ts";

/**
 * The localStorage key that records that somebody has declined to add a passkey in this browser. The browser then makes no further
 * offer, whichever account is signed in.
 */
const DECLINED = "passkey declined";

/**
 * Offers a passkey after a sign-in with a password, if the device can create a passkey and the account has none for this host.
 */
export async function offerPasskey(): Promise<void> {
  if (!hasPasskeys || browserStorage.getItem(DECLINED) !== null) return;
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
    browserStorage.setItem(DECLINED, "");
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
