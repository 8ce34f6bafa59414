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
import { requireSession } from "../accounts/sessions/sessions.ts";
import { endpoints, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import { FOR_STRANGERS, type signedIn } from "./account-endpoints.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface PasskeyEndpointsOptions {
  readonly check: PasswordCheck;
  /** Cookie with the token of a pending passkey sign-in. */
  readonly cookie: SessionCookie;
  readonly begin: ReturnType<typeof signedIn>;
}

export function passkeyEndpoints({ check, cookie, begin }: PasskeyEndpointsOptions) {
  const addPasskey = createAddPasskey(check);
  return endpoints(passkeyOperations, {
    async listPasskeys(ctx) {
      const passkeys = await ctx.query(selectPasskeys, [requireSession(ctx).accountId]);
      return passkeys.map(viewOf);
    },
    beginPasskey: { verb: createBeginPasskey(check), commit: "by-verb" },
    addPasskey: { verb: async (ctx, input) => viewOf(await addPasskey(ctx, input)), commit: "by-verb" },
    removePasskey,
    beginPasskeySignIn: endpointWithHeaders(
      passkeyOperations.beginPasskeySignIn,
      createBeginPasskeySignIn(check),
      ({ challenge, token }) => ({ body: challenge, headers: { "Set-Cookie": cookie.keep(token) } }),
      FOR_STRANGERS,
    ),
    signInWithPasskey: endpointWithHeaders(
      passkeyOperations.signInWithPasskey,
      createSignInWithPasskey(check),
      begin,
      FOR_STRANGERS,
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
