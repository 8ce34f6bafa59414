import { z } from "zod";
import type { Operation } from "../../contract/operation.ts";
import { opaqueParameter } from "../../contract/parameter.ts";
import { textSchema, timeSchema } from "../../contract/schema.ts";
import { signedInAccount } from "../contract.ts";

const PASSKEY_NAME_LENGTH_MAX = 100; // characters; a longer one is refused

// For the console alone: the OpenAPI documents do not list these operations.

const name = textSchema({ description: "What the person calls it.", example: "my phone" }).refine(
  (text) => text.trim() !== "" && text.length <= PASSKEY_NAME_LENGTH_MAX && !/\p{Cc}/u.test(text),
  { error: `must have 1 to ${PASSKEY_NAME_LENGTH_MAX} characters, none of them a control character` },
);

const passkey = z.object({
  id: z.string(),
  name,
  host: z.string().meta({ description: "The host name that it is for." }),
  createdAt: timeSchema("Time at which it was added."),
  lastUsedAt: timeSchema("Last sign-in with it.").nullable(),
});
export type PasskeyView = z.infer<typeof passkey>;

const base64url = z
  .string()
  .regex(/^[\w-]+$/, { error: "must be base64url" })
  .meta({ description: "base64url (RFC 4648 §5)." });

/** The members of `PublicKeyCredentialCreationOptions` that depend on the account (WebAuthn Level 3 §5.4). */
const creation = z.object({
  challenge: base64url,
  rpId: z.string(),
  userId: base64url,
  userName: z.string(),
  algorithms: z.array(z.number()),
  excluded: z.array(base64url).meta({ description: "Credentials that the account has already." }),
});
export type PasskeyCreation = z.infer<typeof creation>;

const challenge = z.object({ challenge: base64url, rpId: z.string() });
export type PasskeyChallenge = z.infer<typeof challenge>;

const attestation = { credentialId: base64url, clientDataJSON: base64url, attestationObject: base64url };
const assertion = {
  credentialId: base64url,
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
};

const console = { tag: "Console" } as const;
const own = { ...console, access: "read-write", role: "viewer" } as const;
const JSON_BODY = { mediaTypes: ["application/json"], examples: {} } as const;

export const passkeyOperations = {
  listPasskeys: {
    ...console,
    id: "listPasskeys",
    method: "GET",
    path: "/account/passkeys",
    summary: "List passkeys",
    description: "The account's passkeys, newest first.",
    access: "read",
    success: { status: 200, description: "The passkeys.", schema: z.array(passkey) },
  },
  beginPasskey: {
    ...own,
    id: "beginPasskey",
    method: "POST",
    path: "/account/passkeys/challenge",
    summary: "Begin a passkey",
    description: "Checks the password and returns what a device needs to make a passkey.",
    body: { ...JSON_BODY, schema: z.object({ password: z.string() }) },
    success: { status: 201, description: "The challenge, for 5 minutes.", schema: creation },
  },
  addPasskey: {
    ...own,
    id: "addPasskey",
    method: "POST",
    path: "/account/passkeys",
    summary: "Add a passkey",
    description: "Stores the public half of a passkey that a device has made for the challenge.",
    body: { ...JSON_BODY, schema: z.object({ name, ...attestation }) },
    success: { status: 201, description: "The passkey was added.", schema: passkey },
  },
  removePasskey: {
    ...own,
    id: "removePasskey",
    method: "DELETE",
    path: "/account/passkeys/{passkeyId}",
    summary: "Remove a passkey",
    description: "Refuses the passkey from then on. The password goes on signing in.",
    pathParameters: {
      passkeyId: opaqueParameter({ description: "The passkey.", expected: "a passkey's identifier" }),
    },
    success: { status: 204, description: "The passkey was removed." },
  },
  beginPasskeySignIn: {
    ...own,
    id: "beginPasskeySignIn",
    method: "POST",
    path: "/session/passkey/challenge",
    summary: "Begin a sign-in with a passkey",
    description: "Returns a challenge for this browser, which a cookie names.",
    success: { status: 201, description: "The challenge, for 5 minutes.", schema: challenge },
  },
  signInWithPasskey: {
    ...own,
    id: "signInWithPasskey",
    method: "POST",
    path: "/session/passkey",
    summary: "Sign in with a passkey",
    description: "Starts a session, which a cookie carries.",
    body: { ...JSON_BODY, schema: z.object(assertion) },
    success: { status: 201, description: "Signed in.", schema: signedInAccount },
  },
} as const satisfies Record<string, Operation>;
