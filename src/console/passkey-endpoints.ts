import { type PasskeyView, passkeyOperations } from "../accounts/passkeys/contract.ts";
import {
  createAddPasskey,
  createBeginPasskey,
  createBeginPasskeySignIn,
  createSignInWithPasskey,
  removePasskey,
} from "../accounts/passkeys/passkeys.ts";
import { type Passkey, selectPasskeys } from "../accounts/passkeys/store.ts";
import type { PasswordCheck } from "../accounts/passwords.ts";
import { type Begun, requireSession } from "../accounts/sessions/sessions.ts";
import { endpoints, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import type { SignedIn } from "./account-endpoints.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface PasskeyEndpointsOptions {
  readonly check: PasswordCheck;
  /** Cookie with the token of a pending passkey sign-in. */
  readonly cookie: SessionCookie;
  readonly begin: (begun: Begun) => SignedIn;
}

export function passkeyEndpoints({ check, cookie, begin }: PasskeyEndpointsOptions) {
  const ownTransactions = { transaction: "own" } as const;
  const forStrangers = { ...ownTransactions, allowAnonymous: true } as const;
  const addPasskey = createAddPasskey(check);
  return endpoints(passkeyOperations, {
    async listPasskeys(ctx) {
      const passkeys = await ctx.query(selectPasskeys, [requireSession(ctx).accountId]);
      return passkeys.map(viewOf);
    },
    beginPasskey: { verb: createBeginPasskey(check), ...ownTransactions },
    addPasskey: { verb: async (ctx, input) => viewOf(await addPasskey(ctx, input)), ...ownTransactions },
    removePasskey,
    beginPasskeySignIn: endpointWithHeaders(
      passkeyOperations.beginPasskeySignIn,
      createBeginPasskeySignIn(check),
      ({ challenge, token }) => ({ body: challenge, headers: { "Set-Cookie": cookie.keep(token) } }),
      forStrangers,
    ),
    signInWithPasskey: endpointWithHeaders(
      passkeyOperations.signInWithPasskey,
      createSignInWithPasskey(check),
      begin,
      forStrangers,
    ),
  });
}

function viewOf({ id, name, host, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return {
    id,
    name,
    host,
    createdAt: formatTime(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : formatTime(lastUsedAt),
  };
}
