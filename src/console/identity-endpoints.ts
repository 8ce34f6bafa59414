import { type IdentityView, identityOperations } from "../accounts/identities/contract.ts";
import type { Identities } from "../accounts/identities/identities.ts";
import type { Identity } from "../accounts/identities/store.ts";
import { endpoints, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import { FOR_STRANGERS, viewOf } from "./account-endpoints.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface IdentityEndpointsOptions {
  readonly identities: Identities;
  readonly cookie: SessionCookie;
  /**
   * The cookie with the token of a sign-in, or of the linking of an account, that was begun at the identity provider but is not
   * complete yet.
   */
  readonly pendingCookie: SessionCookie;
}

export function identityEndpoints({ identities, cookie, pendingCookie }: IdentityEndpointsOptions) {
  const depart = ({ url, token }: { readonly url: string; readonly token: string }) => ({
    body: { url },
    headers: { "Set-Cookie": pendingCookie.keep(token) },
  });
  return endpoints(identityOperations, {
    listIdentities: async (ctx) => (await identities.listIdentities(ctx)).map(identityView),
    beginIdentity: endpointWithHeaders(identityOperations.beginIdentity, identities.beginIdentity, depart, {
      commit: "by-verb",
    }),
    removeIdentity: { verb: identities.removeIdentity, commit: "by-verb" },
    beginProviderSignIn: endpointWithHeaders(
      identityOperations.beginProviderSignIn,
      identities.beginProviderSignIn,
      depart,
      FOR_STRANGERS,
    ),
    endProviderSignIn: endpointWithHeaders(
      identityOperations.endProviderSignIn,
      identities.endProviderSignIn,
      (ended) =>
        ended.outcome === "linked"
          ? {
              body: {
                outcome: ended.outcome,
                account: viewOf({ ...ended.account, createdAt: ended.account.accountCreatedAt }),
              },
              headers: {},
            }
          : {
              body: { outcome: ended.outcome, account: viewOf(ended.begun.account) },
              headers: { "Set-Cookie": cookie.keep(ended.begun.token) },
            },
      FOR_STRANGERS,
    ),
    signOutAtProvider: { verb: identities.signOutAtProvider, allowAnonymous: true },
  });
}

function identityView({ id, issuer, name, createdAt, lastUsedAt }: Identity): IdentityView {
  return {
    id,
    issuer,
    name,
    createdAt: formatTime(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : formatTime(lastUsedAt),
  };
}
