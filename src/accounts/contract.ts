import { z } from "zod";
import { ENVIRONMENTS } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { opaqueParameter } from "../contract/parameter.ts";
import { textSchema, timeSchema } from "../contract/schema.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";

// What a person does with an account in the console. These operations are the console's own: the documents that
// programs read do not list them.

/** Whether people may make their own accounts. */
export const SIGN_UP = ["open", "closed"] as const;
export type SignUp = (typeof SIGN_UP)[number];

const TIME = "2026-01-01T12:00:00.000Z";
const time = (description: string) => timeSchema({ description, example: TIME });

const email = textSchema({ description: "The address the account is known by.", example: "ada@example.com" });
const password = textSchema({ description: "The account's password." });
const newPassword = password.refine(hasPasswordLength, {
  error: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
});

/** Characters as people count them, not the halves that JavaScript does. */
export function hasPasswordLength(text: string): boolean {
  const { length } = [...text];
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

const account = z.object({ email, createdAt: time("When the account was made.") });
export type AccountView = z.infer<typeof account>;

const session = z.object({
  environment: z.enum(ENVIRONMENTS),
  signUp: z.enum(SIGN_UP).meta({ description: "Whether people may make their own accounts." }),
  api: z.string().meta({ description: "Base address of this environment." }),
  messages: z.string().meta({ description: "Base address of the message service." }),
  consoles: z.array(z.object({ environment: z.enum(ENVIRONMENTS), url: z.string() })),
  account: account.nullable().meta({ description: "Whose session this is; null for a visitor." }),
});
export type SessionView = z.infer<typeof session>;

const openSession = z.object({
  id: z.string(),
  createdAt: time("When it was begun, by signing in."),
  lastSeenAt: time("When it was last used, to about ten minutes."),
  expiresAt: time("When it ends, whatever happens."),
  userAgent: z.string().meta({ description: "What the browser said of itself." }),
  isCurrent: z.boolean(),
});
export type OpenSession = z.infer<typeof openSession>;

const console = { tag: "Console", refusals: ["forbidden"] } as const;
const JSON_TYPE = ["application/json"] as const;
const credentials = { email: "ada@example.com", password: "a long sentence of your own" };
const ada: AccountView = { email: credentials.email, createdAt: TIME };

export const accountOperations = {
  getSession: {
    ...console,
    id: "getSession",
    method: "GET",
    path: "/session",
    summary: "Who has signed in, and where",
    description: "Answers visitors, too.",
    access: "read",
    success: { status: 200, description: "The environment, and whose session it is.", schema: session },
  },
  signIn: {
    ...console,
    id: "signIn",
    method: "POST",
    path: "/session",
    summary: "Sign in",
    description: "Begins a session, held by a cookie.",
    access: "read-write",
    body: {
      schema: z.object({ email, password }),
      mediaTypes: JSON_TYPE,
      examples: { ada: credentials },
    },
    success: { status: 201, description: "Signed in.", schema: account, example: ada },
  },
  signOut: {
    ...console,
    id: "signOut",
    method: "DELETE",
    path: "/session",
    summary: "Sign out",
    description: "Ends this session, wherever its cookie may have been copied to.",
    access: "read-write",
    success: { status: 204, description: "Signed out." },
  },
  signUp: {
    ...console,
    id: "signUp",
    method: "POST",
    path: "/accounts",
    summary: "Make an account",
    description: "Makes an account and signs in with it.",
    access: "read-write",
    body: {
      schema: z.object({ email, password: newPassword }),
      mediaTypes: JSON_TYPE,
      examples: { ada: credentials },
    },
    success: { status: 201, description: "The account was made.", schema: account, example: ada },
  },
  changePassword: {
    ...console,
    id: "changePassword",
    method: "POST",
    path: "/account/password",
    summary: "Change the password",
    description: "Sets another password and ends every other session.",
    access: "read-write",
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
    description: "Signs out a browser that is elsewhere.",
    access: "read-write",
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
    body: { schema: z.object({ password }), mediaTypes: JSON_TYPE, examples: {} },
    success: { status: 204, description: "The account is gone." },
  },
} as const satisfies Record<string, Operation>;
