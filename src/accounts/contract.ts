import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import type { Environment, SignUp } from "../context.ts";
import { FORM_MEDIA_TYPE, named, type Operations, ROLES, type Role } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, textSchema } from "../contract/schema.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";

// Operations for the console only. No OpenAPI document lists them.

export const email = textSchema({ description: "The account's email address.", example: "ada@example.com" });
const password = textSchema({ description: "The account's password." });
export const newPassword = password.refine(hasPasswordLength, {
  error: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
});

/** True if the password's length in code points is valid. `String.length` would count a character beyond U+FFFF twice. */
export function hasPasswordLength(text: string): boolean {
  const { length } = [...text];
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

export const role = enumSchema(ROLES, { description: "What the account may do." });

export interface AccountView {
  readonly email: string;
  readonly role: Role;
  /** Time of the account's creation in RFC 3339, as for all times in the console's operations. */
  readonly createdAt: string;
}

export interface SessionView {
  readonly environment: Environment;
  readonly signUp: SignUp;
  /** Name of the provider with which people can sign in; null if there is none. */
  readonly provider: string | null;
  /** True if a person who forgot the password can have a link sent. */
  readonly sendsMail: boolean;
  /** False until the first account that can sign in is created. That account is an owner's. */
  readonly hasOwner: boolean;
  /** Base address of this environment's API. That of the message service is in `messages`. */
  readonly api: string;
  readonly messages: string;
  /** Address of each environment's console, without a path. */
  readonly consoles: Readonly<Record<Environment, string>>;
  /** The signed-in account; null if nobody is signed in. */
  readonly account: AccountView | null;
  /**
   * Identifier of the event after which to follow events: a later read includes all changes up to it. Null if nobody is signed
   * in.
   */
  readonly lastEventId: number | null;
}

/** Form that a page submits, to sign its person in to staging's console. */
export interface SessionTransfer {
  /** Address of staging's `transferSession`. */
  readonly url: string;
  readonly token: string;
}

export interface OpenSession {
  readonly id: string;
  readonly createdAt: string;
  /** Time of the session's last use, accurate to about ten minutes. */
  readonly lastSeenAt: string;
  /** End of the session, even if it is still in use. */
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

/** Operations that sign a person of production in to staging. Each is in one of the two alone. */
export const transferOperations = named({
  /** In production. */
  createTransferToken: {
    method: "POST",
    path: "/session/transfer-token",
    role: "viewer",
    success: { status: 201, schema: z.custom<SessionTransfer>() },
    errors: ["conflict"],
  },
  /** In staging: production's page submits it as a form, and the browser shows what it leads to. */
  transferSession: {
    method: "POST",
    path: "/session/transfer",
    role: "viewer",
    body: {
      // The page is one of staging's own: two slashes at its beginning would lead to another host.
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
  /** Time of the account's last use, accurate to about ten minutes; null if it has no valid session. */
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
