import { z } from "zod";
import { type Operations, sharing } from "../../contract/operation.ts";
import { opaqueParameter } from "../../contract/parameter.ts";
import type { AccountView } from "../contract.ts";

// The operations for identities exist only for the console, so no OpenAPI document lists them.

/**
 * The path of the page that a provider sends people back to after they sign in. The whole URL of this page must be registered with
 * the provider, because the provider sends people to no other URL.
 */
export const RETURN_PATH = "/sign-in/return";

const QUERY_LENGTH_MAX = 8_192; // maximum length, in characters, of the query string that an identity provider sends back; a longer one is refused

/** A person's account at an identity provider, linked to the person's account in this store. */
export interface IdentityView {
  readonly id: string;
  readonly issuer: string;
  /**
   * The email address that the person had at the provider when the accounts were linked, or an identifier if the provider gave no
   * address.
   */
  readonly name: string;
  readonly createdAt: string;
  /** The time of the last sign-in with this identity; null if there has been none. */
  readonly lastUsedAt: string | null;
}

export interface Departure {
  /** The URL of the provider's sign-in page. */
  readonly url: string;
}

export interface Arrival {
  readonly outcome: "signed-in" | "linked";
  readonly account: AccountView;
}

const identityId = opaqueParameter({ description: "The link.", expected: "a link's identifier" });

export const identityOperations = sharing({ role: "viewer" }, {
  listIdentities: {
    method: "GET",
    path: "/account/identities",
    success: { status: 200, schema: z.custom<readonly IdentityView[]>() },
  },
  beginIdentity: {
    method: "POST",
    path: "/account/identities/departure",
    body: { schema: z.object({ password: z.string() }) },
    success: { status: 201, schema: z.custom<Departure>() },
  },
  removeIdentity: {
    method: "POST",
    path: "/account/identities/{identityId}/remove",
    pathParameters: { identityId },
    body: { schema: z.object({ password: z.string() }) },
    success: { status: 204 },
  },
  beginProviderSignIn: {
    method: "POST",
    path: "/session/provider/departure",
    success: { status: 201, schema: z.custom<Departure>() },
  },
  endProviderSignIn: {
    method: "POST",
    path: "/session/provider",
    body: { schema: z.object({ query: z.string().max(QUERY_LENGTH_MAX) }) },
    success: { status: 201, schema: z.custom<Arrival>() },
    errors: ["conflict"],
  },
  signOutAtProvider: {
    method: "GET",
    path: "/session/provider/end",
    success: { status: 200, schema: z.custom<{ readonly url: string | null }>() },
  },
} as const satisfies Operations);
