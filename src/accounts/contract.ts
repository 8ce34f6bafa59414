import { z } from "zod";
import { ENVIRONMENTS, SIGN_UP } from "../context.ts";
import { type Operation, ROLES } from "../contract/operation.ts";
import { idParameter, opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, int64Schema, textSchema, timeSchema } from "../contract/schema.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";

// For the console alone: the OpenAPI documents do not list these operations.

const email = textSchema({ description: "The account's email address.", example: "ada@example.com" });
const password = textSchema({ description: "The account's password." });
export const newPassword = password.refine(hasPasswordLength, {
  error: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
});

/** Counts code points: `length` counts a character beyond U+FFFF twice. */
export function hasPasswordLength(text: string): boolean {
  const { length } = [...text];
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

const role = enumSchema(ROLES, { description: "What the account may do." });
export const signedInAccount = z.object({ email, role, createdAt: timeSchema("Time of creation.") });
export type AccountView = z.infer<typeof signedInAccount>;

const session = z.object({
  environment: z.enum(ENVIRONMENTS),
  signUp: z.enum(SIGN_UP).meta({ description: "Whether people may create their own accounts." }),
  api: z.string().meta({ description: "Base address of this environment." }),
  messages: z.string().meta({ description: "Base address of the message service." }),
  consoles: z.array(z.object({ environment: z.enum(ENVIRONMENTS), url: z.string() })),
  account: signedInAccount
    .nullable()
    .meta({ description: "The account that is signed in; null without one." }),
});
export type SessionView = z.infer<typeof session>;

const openSession = z.object({
  id: z.string(),
  createdAt: timeSchema("Time of the sign-in."),
  lastSeenAt: timeSchema("Last use, to about ten minutes."),
  expiresAt: timeSchema("Time at which it ends, even if it is used until then."),
  userAgent: z.string().meta({ description: "The browser's `User-Agent`." }),
  isCurrent: z.boolean(),
});
export type OpenSession = z.infer<typeof openSession>;

const console = { tag: "Console" } as const;
const JSON_TYPE = ["application/json"] as const;
const credentials = { email: "ada@example.com", password: "a long sentence of your own" };
const ada: AccountView = { email: credentials.email, role: "owner", createdAt: "2026-01-01T12:00:00.000Z" };

export const accountOperations = {
  getSession: {
    ...console,
    id: "getSession",
    method: "GET",
    path: "/session",
    summary: "Get the session",
    description: "Returns the environment and the signed-in account, if any.",
    access: "read",
    success: { status: 200, description: "The session.", schema: session },
  },
  signIn: {
    ...console,
    id: "signIn",
    method: "POST",
    path: "/session",
    summary: "Sign in",
    description: "Starts a session, which a cookie carries.",
    access: "read-write",
    role: "viewer",
    body: {
      schema: z.object({ email, password }),
      mediaTypes: JSON_TYPE,
      examples: { ada: credentials },
    },
    success: { status: 201, description: "Signed in.", schema: signedInAccount, example: ada },
  },
  signOut: {
    ...console,
    id: "signOut",
    method: "DELETE",
    path: "/session",
    summary: "Sign out",
    description: "Ends this session on the server: a copy of its cookie is refused too.",
    access: "read-write",
    role: "viewer",
    success: { status: 204, description: "Signed out." },
  },
  signUp: {
    ...console,
    id: "signUp",
    method: "POST",
    path: "/accounts",
    summary: "Create an account",
    description: "Creates an account and signs in with it.",
    access: "read-write",
    role: "viewer",
    body: {
      schema: z.object({ email, password: newPassword }),
      mediaTypes: JSON_TYPE,
      examples: { ada: credentials },
    },
    success: { status: 201, description: "The account was created.", schema: signedInAccount, example: ada },
  },
  changePassword: {
    ...console,
    id: "changePassword",
    method: "POST",
    path: "/account/password",
    summary: "Change the password",
    description: "Sets a new password and ends every other session.",
    access: "read-write",
    role: "viewer",
    body: {
      schema: z.object({ currentPassword: password, newPassword }),
      mediaTypes: JSON_TYPE,
      examples: {},
    },
    success: { status: 204, description: "The password was changed." },
  },
  listSessions: {
    ...console,
    id: "listSessions",
    method: "GET",
    path: "/account/sessions",
    summary: "List sessions",
    description: "This account's sessions in this environment, newest first.",
    access: "read",
    success: { status: 200, description: "The sessions.", schema: z.array(openSession) },
  },
  endSession: {
    ...console,
    id: "endSession",
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    summary: "End a session",
    description: "Signs out another browser.",
    access: "read-write",
    role: "viewer",
    pathParameters: {
      sessionId: opaqueParameter({ description: "The session.", expected: "a session's identifier" }),
    },
    success: { status: 204, description: "The session has ended." },
  },
  deleteAccount: {
    ...console,
    id: "deleteAccount",
    method: "POST",
    path: "/account/delete",
    summary: "Delete the account",
    description: "Deletes the account with its keys and sessions, in both environments.",
    access: "read-write",
    role: "viewer",
    body: { schema: z.object({ password }), mediaTypes: JSON_TYPE, examples: {} },
    success: { status: 204, description: "The account was deleted." },
  },
} as const satisfies Record<string, Operation>;

const person = signedInAccount.extend({
  id: int64Schema({ description: "Identifier of the account.", example: 1 }),
});
export type Person = z.infer<typeof person>;
const listedPerson = person.extend({
  lastSeenAt: timeSchema("Last use of a session that has not ended, to about ten minutes.")
    .nullable()
    .meta({ description: "Null without such a session." }),
});
export type ListedPerson = z.infer<typeof listedPerson>;
const accountId = idParameter({ description: "Identifier of the account.", example: 1 });

/** For owners alone: other people's accounts. */
export const peopleOperations = {
  listAccounts: {
    ...console,
    id: "listAccounts",
    method: "GET",
    path: "/accounts",
    summary: "List accounts",
    description: "Every account that can sign in, newest first.",
    access: "read",
    role: "owner",
    success: { status: 200, description: "The accounts.", schema: z.array(listedPerson) },
  },
  setRole: {
    ...console,
    id: "setRole",
    method: "PATCH",
    path: "/accounts/{accountId}",
    summary: "Set an account's role",
    description: "Counts for the account's sessions and keys at once. The last owner stays one.",
    access: "read-write",
    role: "owner",
    pathParameters: { accountId },
    body: {
      schema: z.object({ role }),
      mediaTypes: ["application/merge-patch+json", "application/json"],
      examples: {},
    },
    success: { status: 200, description: "The account as it is now.", schema: person },
    errors: ["not_found"],
  },
  removeAccount: {
    ...console,
    id: "removeAccount",
    method: "DELETE",
    path: "/accounts/{accountId}",
    summary: "Remove an account",
    description: "Removes another person's account with its keys and sessions. The last owner stays.",
    access: "read-write",
    role: "owner",
    pathParameters: { accountId },
    success: { status: 204, description: "The account is removed." },
    errors: ["not_found"],
  },
} as const satisfies Record<string, Operation>;
