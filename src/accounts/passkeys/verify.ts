import type { Browser } from "../../context.ts";
import { ServiceError } from "../../errors.ts";
import type { Passkey } from "./store.ts";

/** The site that a passkey is for (WebAuthn Level 3 §5.4.2): devices use it there alone. */
interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * @throws ServiceError `forbidden` where browsers have no passkeys: at an address without HTTPS, except `localhost`,
 *   and at an IP address
 */
export function relyingPartyOf({ origin }: Browser): RelyingParty {
  const { protocol, hostname } = new URL(origin);
  if (
    hostname === "localhost" ||
    (protocol === "https:" && /[a-z]/i.test(hostname) && !hostname.startsWith("["))
  )
    return { id: hostname, origin };
  throw new ServiceError(
    "forbidden",
    "Passkeys need an https address, or localhost. Open the console there, or set PETSTORE_PRODUCTION_URL and PETSTORE_STAGING_URL to the https addresses.",
  );
}

/** What a device sends for a new passkey: base64url. */
interface Attestation {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** What a device sends to sign in: base64url. */
export interface Assertion {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** COSE algorithms (RFC 9053): EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** Loaded when a passkey is used first: it takes 0.2 s and 25 MB. */
async function library() {
  // What the library depends on needs it first, and a bundler puts it later.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** Checks a new passkey (WebAuthn Level 3 §7.1); undefined where it is not one for this site and challenge. */
export async function verifyAttestation(
  { credentialId, clientDataJSON, attestationObject }: Attestation,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "signCount"> | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...credentialOf(credentialId),
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) return undefined;
  const { credential } = registrationInfo;
  return { credentialId: credential.id, publicKey: credential.publicKey, signCount: credential.counter };
}

/** Checks a sign-in (WebAuthn Level 3 §7.2); the device's new count, or undefined where it is not the passkey's. */
export async function verifyAssertion(
  { clientDataJSON, authenticatorData, signature }: Assertion,
  { credentialId, publicKey, signCount }: Passkey,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...credentialOf(credentialId),
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: signCount },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified ? authenticationInfo?.newCounter : undefined;
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}
