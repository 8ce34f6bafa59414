import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import type { Environment, SignUp } from "../context.ts";
import { FORM_MEDIA_TYPE, named, type Operations, ROLES, type Role } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, textSchema } from "../contract/schema.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";

// The operations below exist only for the console, so no OpenAPI document lists them.

export const email = textSchema({ description: "The account's email address.", example: "ada@example.com" });
const password = textSchema({ description: "The account's password." });
export const newPassword = password.refine(hasPasswordLength, {
  error: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
});

/** True if the password has a valid number of code points. `String.length` would count a character beyond U+FFFF twice. */
export function hasPasswordLength(text: string): boolean {
  const { length } = [...text];
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

export const role = enumSchema(ROLES, { description: "What the account may do." });

export interface AccountView {
  readonly email: string;
  readonly role: Role;
  /** Time at which the account was created, in RFC 3339, like every time in the console's operations. */
  readonly createdAt: string;
}

export interface SessionView {
  readonly environment: Environment;
  readonly signUp: SignUp;
  /** The name of the identity provider that people can sign in with, or null if none is configured. */
  readonly provider: string | null;
  /** True if the store can send a reset link by mail to a person who forgot the password. */
  readonly sendsMail: boolean;
  /** False until the first account that can sign in is created. That account becomes an owner. */
  readonly hasOwner: boolean;
  /** The base address of the environment's API. The base address of the message service is in `messages`. */
  readonly api: string;
  readonly messages: string;
  /** The address of each environment's console, without a path. */
  readonly consoles: Readonly<Record<Environment, string>>;
  /** The signed-in account; null if nobody is signed in. */
  readonly account: AccountView | null;
  /**
   * The identifier of the newest event. The page follows the event stream from this event on. Data that the page reads later
   * includes all changes up to this event. Null if nobody is signed in.
   */
  readonly lastEventId: number | null;
}

/** A form that production's console submits in order to sign the current person in to staging's console. */
export interface SessionTransfer {
  readonly url: string;
  readonly token: string;
}

export interface OpenSession {
  readonly id: string;
  readonly environment: Environment;
  readonly createdAt: string;
  /** Time of the session's last use, accurate to about ten minutes. */
  readonly lastSeenAt: string;
  /** Time at which the session ends, even if it is in use. */
  readonly expiresAt: string;
  readonly userAgent: string;
  readonly isCurrent: boolean;
}

export const accountOperations = named({
  getSession: {
    method: "GET",
    path: "/session",
    success: { status: 200, schema: z.custom<SessionView>() },
  },
  signIn: {
    method: "POST",
    path: "/session",
    role: "viewer",
    body: { schema: z.object({ email, password }) },
    success: { status: 201, schema: z.custom<AccountView>() },
  },
  signOut: {
    method: "DELETE",
    path: "/session",
    role: "viewer",
    success: { status: 204 },
  },
  signUp: {
    method: "POST",
    path: "/accounts",
    role: "viewer",
    body: { schema: z.object({ email, password: newPassword }) },
    success: { status: 201, schema: z.custom<AccountView>() },
  },
  changePassword: {
    method: "POST",
    path: "/account/password",
    role: "viewer",
    body: { schema: z.object({ currentPassword: password, newPassword }) },
    success: { status: 204 },
  },
  listSessions: {
    method: "GET",
    path: "/account/sessions",
    success: { status: 200, schema: z.custom<readonly OpenSession[]>() },
  },
  endSession: {
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    role: "viewer",
    pathParameters: {
      sessionId: opaqueParameter({ description: "The session.", expected: "a session's identifier" }),
    },
    success: { status: 204 },
  },
  deleteAccount: {
    method: "POST",
    path: "/account/delete",
    role: "viewer",
    body: { schema: z.object({ password }) },
    success: { status: 204 },
    errors: ["conflict"],
  },
} as const satisfies Operations);

/**
 * Operations that let a person who is signed in to production sign in to staging. Each operation exists in only one of the two
 * environments.
 */
export const transferOperations = named({
  /** The operation `createTransferToken` exists only in production. */
  createTransferToken: {
    method: "POST",
    path: "/session/transfer-token",
    role: "viewer",
    success: { status: 201, schema: z.custom<SessionTransfer>() },
    errors: ["conflict"],
  },
  /**
   * The operation `transferSession` exists only in staging. Production's console submits a form to it, and the browser then follows
   * the redirect in the response.
   */
  transferSession: {
    method: "POST",
    path: "/session/transfer",
    role: "viewer",
    body: {
      // The page must be a path on staging's console. A path that begins with two slashes would lead to another host.
      schema: z.object({ token: z.string(), page: z.string().regex(/^\/[a-z-]*$/) }),
      mediaTypes: [FORM_MEDIA_TYPE],
    },
    success: { status: 303 },
  },
} as const satisfies Operations);

export interface Person extends AccountView {
  readonly id: Int64;
}
export interface ListedPerson extends Person {
  /** Time of the account's last use, accurate to about ten minutes; null if the account has no valid session. */
  readonly lastSeenAt: string | null;
}
export const accountId = int64Parameter({ description: "Identifier of the account.", example: 1 });

/** Operations on other people's accounts, for owners only. */
export const peopleOperations = named({
  listAccounts: {
    method: "GET",
    path: "/accounts",
    role: "owner",
    success: { status: 200, schema: z.custom<readonly ListedPerson[]>() },
  },
  setRole: {
    method: "PATCH",
    path: "/accounts/{accountId}",
    role: "owner",
    pathParameters: { accountId },
    body: {
      schema: z.object({ role }),
      mediaTypes: ["application/merge-patch+json", "application/json"],
    },
    success: { status: 200, schema: z.custom<Person>() },
    errors: ["conflict"],
  },
  removeAccount: {
    method: "DELETE",
    path: "/accounts/{accountId}",
    role: "owner",
    pathParameters: { accountId },
    success: { status: 204 },
    errors: ["conflict"],
  },
} as const satisfies Operations);
