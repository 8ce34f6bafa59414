import { createChangePassword, createDeleteAccount, hasPeople } from "../accounts/accounts.ts";
import { type AccountView, accountOperations, type SessionView } from "../accounts/contract.ts";
import type { PasswordCheck } from "../accounts/passwords.ts";
import {
  type Begun,
  createSignIn,
  endSession,
  listSessions,
  requireBrowser,
  signOut,
} from "../accounts/sessions/sessions.ts";
import { createSignUp } from "../accounts/sign-up.ts";
import type { Context, Environment, SignUp } from "../context.ts";
import { selectLogEnd } from "../events/store.ts";
import { endpoints, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import { type Database, DatabaseClosedError } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { asSeenFrom } from "./page-origins.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface AccountEndpointsOptions {
  readonly check: PasswordCheck;
  readonly cookie: SessionCookie;
  readonly signUp: SignUp;
  readonly getSession: GetSession;
}

export function accountEndpoints({ check, cookie, signUp, getSession }: AccountEndpointsOptions) {
  const begin = signedIn(cookie);
  const end = () => ({ body: undefined, headers: { "Set-Cookie": cookie.forget() } });
  return endpoints(accountOperations, {
    getSession: { verb: getSession, allowAnonymous: true },
    signIn: endpointWithHeaders(accountOperations.signIn, createSignIn(check), begin, FOR_STRANGERS),
    signUp: endpointWithHeaders(accountOperations.signUp, createSignUp(check, signUp), begin, FOR_STRANGERS),
    signOut: endpointWithHeaders(accountOperations.signOut, signOut, end, { commit: "statement" }),
    changePassword: { verb: createChangePassword(check), commit: "by-verb" },
    listSessions,
    endSession: { verb: endSession, commit: "statement" },
    deleteAccount: endpointWithHeaders(accountOperations.deleteAccount, createDeleteAccount(check), end, {
      commit: "by-verb",
    }),
  });
}

/** Options for endpoints that need no session, because they check a password or a token in the request instead. */
export const FOR_STRANGERS = { allowAnonymous: true, commit: "by-verb" } as const;

export function signedIn(cookie: SessionCookie) {
  return ({ account, token }: Begun) => ({
    body: viewOf(account),
    headers: { "Set-Cookie": cookie.keep(token) },
  });
}

interface SessionFacts {
  readonly environment: Environment;
  readonly publicUrl: string | undefined;
  readonly addressOf: (service: string) => string;
  readonly signUp: SignUp;
  readonly providerName: string | undefined;
  readonly isSendingMail: boolean;
}

export type GetSession = ReturnType<typeof createGetSession>;

/**
 * Creates the function that handles `getSession`. Every page of the console calls `getSession` first, to learn the signed-in
 * account and the services' URLs.
 */
export function createGetSession(store: Pick<Database, "read">, facts: SessionFacts) {
  const { environment, publicUrl, addressOf, signUp, providerName = null, isSendingMail } = facts;
  return async (ctx: Context): Promise<SessionView> => {
    const actor = requireBrowser(ctx);
    const isSignedIn = actor.kind === "session";
    const seen = (service: string) => asSeenFrom(actor.origin, addressOf(service));
    return {
      environment,
      signUp,
      provider: providerName,
      sendsMail: isSendingMail,
      hasOwner: isSignedIn || (await hasPeople(ctx.query)),
      api: publicUrl ?? `${actor.origin}/v1`,
      messages: seen("messages"),
      consoles: {
        production: new URL(seen("production")).origin,
        staging: new URL(seen("staging")).origin,
        [environment]: actor.origin,
      },
      account: isSignedIn ? viewOf({ ...actor, createdAt: actor.accountCreatedAt }) : null,
      lastEventId: isSignedIn ? await readLogEnd(store) : null,
    };
  };
}

/**
 * Returns the identifier up to which the event log is complete: no event with a lower identifier can still be added. Returns null
 * while the store is closed.
 */
async function readLogEnd({ read }: Pick<Database, "read">): Promise<number | null> {
  try {
    return Number(singleRow(await read(selectLogEnd, [])));
  } catch (error) {
    if (error instanceof DatabaseClosedError) return null;
    throw error;
  }
}

export function viewOf({ email, role, createdAt }: Omit<Begun["account"], "id">): AccountView {
  return { email, role, createdAt: formatTime(createdAt) };
}
