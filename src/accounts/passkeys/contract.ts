import { z } from "zod";
import { type Operations, sharing } from "../../contract/operation.ts";
import { opaqueParameter } from "../../contract/parameter.ts";
import { textSchema } from "../../contract/schema.ts";
import type { AccountView } from "../contract.ts";

const PASSKEY_NAME_LENGTH_MAX = 100; // maximum length of a passkey's name, in characters; a longer name is refused

// The operations below exist only for the console, so no OpenAPI document lists them.

const name = textSchema({
  description: "A name for the passkey, chosen by its owner.",
  example: "my phone",
}).refine((text) => text.trim() !== "" && text.length <= PASSKEY_NAME_LENGTH_MAX && !/\p{Cc}/u.test(text), {
  error: `must have 1 to ${PASSKEY_NAME_LENGTH_MAX} characters, without control characters`,
});

export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  /** Host name of the console where the passkey is valid. */
  readonly host: string;
  /** Time at which the passkey was added, in RFC 3339. */
  readonly createdAt: string;
  /** Time of the last sign-in with the passkey; null if there has been none. */
  readonly lastUsedAt: string | null;
}

const base64url = z
  .string()
  .regex(/^[\w-]+$/, { error: "must be base64url" })
  .meta({ description: "base64url (RFC 4648 §5)." });

/** Members of `PublicKeyCredentialCreationOptions` that depend on the account (WebAuthn Level 3 §5.4). Bytes are in base64url. */
export interface PasskeyCreation extends PasskeyChallenge {
  readonly userId: string;
  readonly userName: string;
  readonly algorithms: readonly number[];
  readonly excluded: readonly string[];
}

export interface PasskeyChallenge {
  readonly challenge: string;
  readonly rpId: string;
}

const attestation = { credentialId: base64url, clientDataJSON: base64url, attestationObject: base64url };
const assertion = {
  credentialId: base64url,
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
};

export const passkeyOperations = sharing({ role: "viewer" }, {
  listPasskeys: {
    method: "GET",
    path: "/account/passkeys",
    success: { status: 200, schema: z.custom<readonly PasskeyView[]>() },
  },
  beginPasskey: {
    method: "POST",
    path: "/account/passkeys/challenge",
    body: { schema: z.object({ password: z.string() }) },
    success: { status: 201, schema: z.custom<PasskeyCreation>() },
  },
  addPasskey: {
    method: "POST",
    path: "/account/passkeys",
    body: { schema: z.object({ name, ...attestation }) },
    success: { status: 201, schema: z.custom<PasskeyView>() },
  },
  removePasskey: {
    method: "DELETE",
    path: "/account/passkeys/{passkeyId}",
    pathParameters: {
      passkeyId: opaqueParameter({ description: "The passkey.", expected: "a passkey's identifier" }),
    },
    success: { status: 204 },
  },
  beginPasskeySignIn: {
    method: "POST",
    path: "/session/passkey/challenge",
    success: { status: 201, schema: z.custom<PasskeyChallenge>() },
  },
  signInWithPasskey: {
    method: "POST",
    path: "/session/passkey",
    body: { schema: z.object(assertion) },
    success: { status: 201, schema: z.custom<AccountView>() },
  },
} as const satisfies Operations);
