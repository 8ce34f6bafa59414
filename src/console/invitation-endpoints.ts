import type { PasswordCheck } from "../accounts/check-password.ts";
import { normalizeEmail } from "../accounts/email.ts";
import {
  createAcceptInvitation,
  requireInvitation,
  requireInvitations,
} from "../accounts/invitations/accept-invitation.ts";
import {
  type InvitationOffer,
  invitationOperations,
  type OneTimeLink,
} from "../accounts/invitations/contract.ts";
import { createInvitation, type NewLink } from "../accounts/invitations/create-invitation.ts";
import { invitationLink, resetLink } from "../accounts/invitations/link-token.ts";
import { createResetLink, createUseResetLink } from "../accounts/invitations/reset-password-link.ts";
import { type Invitation, selectInvitations } from "../accounts/invitations/store.ts";
import { withdrawInvitation } from "../accounts/invitations/withdraw-invitation.ts";
import { requireSession } from "../accounts/sessions/require-session.ts";
import type { Begun } from "../accounts/sessions/sign-in.ts";
import type { SignUpPolicy } from "../accounts/sign-up-policy.ts";
import { type Endpoints, endpoint, endpointWithHeaders } from "../http/endpoint.ts";
import { formatTime } from "../platform/clock.ts";
import type { SignedIn } from "./account-endpoints.ts";

interface InvitationEndpointsOptions {
  readonly check: PasswordCheck;
  readonly signUp: SignUpPolicy;
  /** The response to a sign-in. */
  readonly begin: (begun: Begun) => SignedIn;
}

/** Links that make an account, or set a password, once. */
export function invitationEndpoints({
  check,
  signUp,
  begin,
}: InvitationEndpointsOptions): Endpoints<typeof invitationOperations> {
  const { listInvitations, readInvitation, acceptInvitation, useResetLink, ...owners } = invitationOperations;
  const forStrangers = { allowAnonymous: true, transaction: "own" } as const;
  return {
    listInvitations: endpoint(listInvitations, async ({ query, now }) => {
      const invitations = await query(selectInvitations, [now]);
      return invitations.map((invitation) => ({ id: invitation.id, ...offerOf(invitation) }));
    }),
    createInvitation: endpoint(owners.createInvitation, async (ctx, { body: { email, role } }) => {
      requireInvitations(signUp);
      const { origin } = requireSession(ctx);
      const link = await createInvitation(ctx, { email: normalizeEmail(email), role });
      return shown(link, invitationLink(origin, link.token));
    }),
    withdrawInvitation: endpoint(owners.withdrawInvitation, withdrawInvitation),
    readInvitation: endpoint(
      readInvitation,
      async (ctx, { body }) => {
        requireInvitations(signUp);
        return offerOf(await requireInvitation(ctx, body.token));
      },
      forStrangers,
    ),
    acceptInvitation: endpointWithHeaders(
      acceptInvitation,
      createAcceptInvitation(check, signUp),
      begin,
      forStrangers,
    ),
    createResetLink: endpoint(owners.createResetLink, async (ctx, input) => {
      const { origin } = requireSession(ctx);
      const link = await createResetLink(ctx, input);
      return shown(link, resetLink(origin, link.token));
    }),
    useResetLink: endpoint(useResetLink, createUseResetLink(check), forStrangers),
  };
}

function offerOf({ email, role, expiresAt }: Invitation): InvitationOffer {
  return { email: email === "" ? null : email, role, expiresAt: formatTime(expiresAt) };
}

function shown({ expiresAt }: NewLink, link: string): OneTimeLink {
  return { link, expiresAt: formatTime(expiresAt) };
}
