import { createChangePassword } from "../accounts/change-password.ts";
import type { PasswordCheck } from "../accounts/check-password.ts";
import { type AccountView, accountOperations, type SessionView } from "../accounts/contract.ts";
import { createDeleteAccount } from "../accounts/delete-account.ts";
import { endSession } from "../accounts/end-session.ts";
import { listSessions } from "../accounts/list-sessions.ts";
import { requireBrowser } from "../accounts/require-session.ts";
import { type Begun, createSignIn } from "../accounts/sign-in.ts";
import { signOut } from "../accounts/sign-out.ts";
import { createSignUp } from "../accounts/sign-up.ts";
import { type Context, ENVIRONMENTS, type Environment, type SignUp } from "../context.ts";
import { type Endpoints, endpoint, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface AccountEndpointsOptions {
  readonly check: PasswordCheck;
  readonly cookie: SessionCookie;
  readonly environment: Environment;
  readonly signUp: SignUp;
  /** The base address that was set for this environment. */
  readonly publicUrl: string | undefined;
  /** Where a service is found. */
  readonly addressOf: (service: string) => string;
  /** Called once an account is gone, and its keys with it. */
  readonly onKeysChanged: () => void;
}

/** What people do with their accounts. */
export function accountEndpoints(options: AccountEndpointsOptions): Endpoints<typeof accountOperations> {
  const { check, cookie, onKeysChanged } = options;
  const begin = ({ account, token }: Begun) => ({
    body: viewOf(account.email, account.createdAt),
    headers: { "Set-Cookie": cookie.keep(token) },
  });
  const end = () => ({ body: undefined, headers: { "Set-Cookie": cookie.forget() } });
  const perStatement = { transaction: "per-statement" } as const;
  return {
    getSession: endpoint(accountOperations.getSession, (ctx) => getSession(ctx, options), {
      allowAnonymous: true,
    }),
    signIn: endpointWithHeaders(accountOperations.signIn, createSignIn(check), begin, {
      ...perStatement,
      allowAnonymous: true,
    }),
    signUp: endpointWithHeaders(accountOperations.signUp, createSignUp(check, options.signUp), begin, {
      ...perStatement,
      allowAnonymous: true,
    }),
    signOut: endpointWithHeaders(accountOperations.signOut, signOut, end, { transaction: "none" }),
    changePassword: endpoint(accountOperations.changePassword, createChangePassword(check), perStatement),
    listSessions: endpoint(accountOperations.listSessions, listSessions),
    endSession: endpoint(accountOperations.endSession, endSession, { transaction: "none" }),
    deleteAccount: endpointWithHeaders(accountOperations.deleteAccount, createDeleteAccount(check), end, {
      ...perStatement,
      onCommitted: onKeysChanged,
    }),
  };
}

/** Who has signed in, and where everything is: what a page needs before it shows anything. */
async function getSession(
  ctx: Context,
  { environment, signUp, publicUrl, addressOf }: AccountEndpointsOptions,
): Promise<SessionView> {
  const actor = requireBrowser(ctx);
  const { origin } = actor;
  const seen = (service: string) => asSeenFrom(origin, addressOf(service));
  return {
    environment,
    signUp,
    api: publicUrl ?? `${origin}/v1`,
    messages: seen("messages"),
    consoles: ENVIRONMENTS.map((one) => ({
      environment: one,
      url: one === environment ? `${origin}/` : `${new URL(seen(one)).origin}/`,
    })),
    account: actor.kind === "session" ? viewOf(actor.email, actor.accountCreatedAt) : null,
  };
}

/** A neighbour that is only known as this machine's is found under the name that the client knows this machine by. */
function asSeenFrom(origin: string, address: string): string {
  const url = new URL(address);
  if (url.hostname !== "localhost") return address;
  url.hostname = new URL(origin).hostname;
  return url.href.replace(/\/$/, "");
}

function viewOf(email: string, createdAt: number): AccountView {
  return { email, createdAt: formatTime(createdAt) };
}
