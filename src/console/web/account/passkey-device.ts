import type { PasskeyChallenge, PasskeyCreation } from "../../../accounts/passkeys/contract.ts";
import { pageError } from "../request-error.ts";

/** Creates a passkey on a device, and returns the passkey's public part in base64url. */
export function createPasskey({ challenge, rpId, userId, userName, algorithms, excluded }: PasskeyCreation) {
  return askDevice((signal) =>
    navigator.credentials.create({
      signal,
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON({
        challenge,
        rp: { id: rpId, name: "petstore" },
        user: { id: userId, name: userName, displayName: userName },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: excluded.map((id) => ({ type: "public-key", id })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
      }),
    }),
  );
}

/** Signs a challenge with a passkey that the person chooses. */
export function signWithPasskey(challenge: PasskeyChallenge) {
  return askDevice((signal) =>
    navigator.credentials.get({
      signal,
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON({
        ...challenge,
        userVerification: "required",
      }),
    }),
  );
}

/** The time limit for a device to create or use a passkey, in milliseconds. It is shorter than the lifetime of a challenge. */
const DEVICE_TIMEOUT_MS = 4 * 60_000;

/** Returns the identifier of the credential, and the device's response in base64url. */
async function askDevice(ask: (signal: AbortSignal) => Promise<Credential | null>): Promise<object> {
  try {
    const credential = (await ask(AbortSignal.timeout(DEVICE_TIMEOUT_MS))) as PublicKeyCredential;
    const { id, response } = credential.toJSON();
    return { credentialId: id, ...response };
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError") throw pageError("This device already has a passkey for this account.");
    if (name === "SecurityError") throw pageError("This store's passkeys don't work at this address.");
    throw pageError("Your device did not confirm that it is you. Try again, or use your password.");
  }
}
