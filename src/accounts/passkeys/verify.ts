import type { Browser } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { PASSKEY_CHALLENGE_MS } from "../../limits.ts";
import type { RandomBytes } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Database, Query } from "../../storage/database.ts";
import type { passkeyOperations } from "./contract.ts";
import { type Passkey, putChallenge, selectChallenge, takeChallenge } from "./store.ts";

/** The site that a passkey belongs to (WebAuthn Level 3 §5.4.2). Devices refuse to use the passkey anywhere else. */
interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the site for which passkeys are created.
 *
 * @throws ServiceError `forbidden` if the console's address is an IP address, or uses plain HTTP at a host other than `localhost`
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
    "Passkeys work only at an https address or at localhost. Open the console at such an address, or set PETSTORE_PRODUCTION_URL and PETSTORE_STAGING_URL to https addresses.",
  );
}

type Attestation = Input<typeof passkeyOperations.addPasskey>["body"];
type Assertion = Input<typeof passkeyOperations.signInWithPasskey>["body"];

/** Signature algorithms that passkeys may use, by COSE number (RFC 9053): EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** Imports the WebAuthn library when a passkey is first used, because loading it costs time and memory (decision 23). */
async function library() {
  // `reflect-metadata` must be loaded before the library's dependencies. Without this line, a bundler would load it after them.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** Verifies a new passkey (WebAuthn Level 3 §7.1). Returns undefined if it does not match the site and the challenge. */
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

/**
 * Verifies a passkey sign-in (WebAuthn Level 3 §7.2). The signature counter must be higher than the stored one, unless both are 0.
 *
 * @returns the passkey's new counter; undefined if any check fails
 */
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

/** The length of a passkey challenge in bytes. This is 256 bits; WebAuthn Level 3 §13.4.3 requires only 128. */
const CHALLENGE_BYTES = 32;

/**
 * Creates and stores a passkey challenge, which replaces the holder's previous one.
 *
 * @param holder the identifier of a session, or the token in a cookie
 * @returns the challenge in base64url
 */
export async function beginChallenge(
  query: Query,
  randomBytes: RandomBytes,
  holder: string,
  now: number,
): Promise<string> {
  const challenge = base64url(randomBytes(CHALLENGE_BYTES));
  await query(putChallenge, {
    holder: hashOf(holder),
    challenge,
    expiresAt: now + PASSKEY_CHALLENGE_MS,
  });
  return challenge;
}

/**
 * Deletes and returns the first valid passkey challenge that belongs to one of these sessions or tokens (`holders`), so that the
 * challenge can be used only once. Returns undefined if there is none.
 */
export async function endChallenge(
  { read, run }: Database,
  holders: readonly string[],
  now: number,
): Promise<string | undefined> {
  for (const holder of holders.map(hashOf)) {
    if ((await read(selectChallenge, [holder])).length === 0) continue;
    const [challenge] = await run(takeChallenge, [holder, now]);
    if (challenge !== undefined) return challenge;
  }
  return undefined;
}

export function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Returns the hash that identifies a session or a token in the table of challenges. */
export function hashOf(holder: string): string {
  return base64url(sha256(holder));
}
