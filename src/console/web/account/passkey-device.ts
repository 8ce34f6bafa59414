import type { PasskeyChallenge, PasskeyCreation } from "../../../accounts/passkeys/contract.ts";
import { pageError } from "../request-error.ts";

/** Creates a passkey on a device; returns its public part in base64url. */
export async function createPasskey(creation: PasskeyCreation) {
  const { challenge, rpId, userId, userName, algorithms, excluded } = creation;
  const { id, response } = await askDevice((signal) =>
    navigator.credentials.create({
      signal,
      publicKey: {
        challenge: toBytes(challenge),
        rp: { id: rpId, name: "petstore" },
        user: { id: toBytes(userId), name: userName, displayName: userName },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: excluded.map((one) => ({ type: "public-key", id: toBytes(one) })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
      },
    }),
  );
  if (!(response instanceof AuthenticatorAttestationResponse)) throw notConfirmed();
  const { clientDataJSON, attestationObject } = response;
  return {
    credentialId: id,
    clientDataJSON: toText(clientDataJSON),
    attestationObject: toText(attestationObject),
  };
}

/** Signs a challenge with a passkey that the person chooses. */
export async function signWithPasskey({ challenge, rpId }: PasskeyChallenge) {
  const { id, response } = await askDevice((signal) =>
    navigator.credentials.get({
      signal,
      publicKey: { challenge: toBytes(challenge), rpId, userVerification: "required" },
    }),
  );
  if (!(response instanceof AuthenticatorAssertionResponse)) throw notConfirmed();
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    credentialId: id,
    clientDataJSON: toText(clientDataJSON),
    authenticatorData: toText(authenticatorData),
    signature: toText(signature),
  };
}

/** Timeout for a device to create or use a passkey, in milliseconds: shorter than the lifetime of a challenge. */
const DEVICE_TIMEOUT_MS = 4 * 60_000;

async function askDevice(
  ask: (signal: AbortSignal) => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  const credential = await ask(AbortSignal.timeout(DEVICE_TIMEOUT_MS)).catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError") throw pageError("This device has a passkey of this account already.");
    if (name === "SecurityError") throw pageError("Passkeys of this store do not work at this address.");
    throw notConfirmed();
  });
  if (!(credential instanceof PublicKeyCredential)) throw notConfirmed();
  return credential;
}

function notConfirmed(): Error {
  return pageError("The device did not confirm. Try again, or use the password.");
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toText(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
