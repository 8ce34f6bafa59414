import { transferOperations } from "../accounts/contract.ts";
import { createTransferToken, transferSession } from "../accounts/sessions/session-transfer.ts";
import { requireBrowser } from "../accounts/sessions/sessions.ts";
import { ServiceError } from "../errors.ts";
import { type Endpoint, endpoint, endpointWithHeaders } from "../http/endpoint.ts";
import { FOR_STRANGERS } from "./account-endpoints.ts";
import { siblingOrigin } from "./page-origins.ts";
import type { SessionCookie } from "./session-cookie.ts";

/**
 * Creates production's endpoint that issues a token for signing in to staging's console.
 *
 * @param staging a function that returns the base address of staging, according to the settings
 */
export function transferTokenEndpoint(path: string, staging: () => string): Endpoint {
  return endpoint(
    transferOperations.createTransferToken,
    async (ctx) => {
      const origin = siblingOrigin(requireBrowser(ctx).origin, staging());
      if (origin === undefined)
        throw new ServiceError(
          "conflict",
          "You have to sign in to staging separately, because only one of the two consoles has an https address.",
        );
      const token = await createTransferToken(ctx);
      return { url: origin + path + transferOperations.transferSession.path, token };
    },
    { commit: "statement" },
  );
}

/** Creates staging's endpoint that signs a person in with a token from production's console. */
export function transferEndpoint(cookie: SessionCookie): Endpoint {
  return endpointWithHeaders(
    transferOperations.transferSession,
    transferSession,
    ({ token, page }) => ({
      body: undefined,
      headers: { Location: page, "Set-Cookie": cookie.keep(token) },
    }),
    { ...FOR_STRANGERS, refusalPage: "/sign-in?from=production" },
  );
}
