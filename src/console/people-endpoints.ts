import { removeAccount, setRole } from "../accounts/accounts.ts";
import { type Person, peopleOperations } from "../accounts/contract.ts";
import { normalizeEmail } from "../accounts/email.ts";
import {
  type InvitationOffer,
  invitationOperations,
  type OneTimeLink,
} from "../accounts/invitations/contract.ts";
import {
  createAcceptInvitation,
  createInvitation,
  type NewLink,
  requireInvitation,
  requireInvitations,
  withdrawInvitation,
} from "../accounts/invitations/invitations.ts";
import { createResetLink, createUseResetLink } from "../accounts/invitations/password-reset.ts";
import { type Invitation, selectInvitations } from "../accounts/invitations/store.ts";
import { mailOperations } from "../accounts/mail/contract.ts";
import { createRequestReset, listUnsentMails, mailLink, redeliverMail } from "../accounts/mail/mails.ts";
import type { PasswordCheck } from "../accounts/passwords.ts";
import { selectLastSeen } from "../accounts/sessions/session-store.ts";
import { requireSession } from "../accounts/sessions/sessions.ts";
import { type Account, selectAccounts } from "../accounts/store.ts";
import type { Context, SignUp } from "../context.ts";
import { endpoints, endpointWithHeaders } from "../http/endpoint.ts";
import { SESSION_IDLE_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { FOR_STRANGERS, type signedIn } from "./account-endpoints.ts";

interface InvitationEndpointsOptions {
  readonly check: PasswordCheck;
  readonly signUp: SignUp;
  readonly begin: ReturnType<typeof signedIn>;
}

/** Endpoints for one-time links that create an account or set a password. */
export function invitationEndpoints({ check, signUp, begin }: InvitationEndpointsOptions) {
  return endpoints(invitationOperations, {
    async listInvitations({ query, now }) {
      const invitations = await query(selectInvitations, [now]);
      return invitations.map((invitation) => ({ id: invitation.id, ...offerOf(invitation) }));
    },
    async createInvitation(ctx, { body: { email, role } }) {
      requireInvitations(signUp);
      const invited = { email: normalizeEmail(email), role };
      const link = await createInvitation(ctx, invited);
      return shown(ctx, link, await mailLink(ctx, "invitation", invited.email, link));
    },
    withdrawInvitation,
    readInvitation: {
      async verb(ctx, { body }) {
        requireInvitations(signUp);
        return offerOf(await requireInvitation(ctx, body.token));
      },
      ...FOR_STRANGERS,
    },
    acceptInvitation: endpointWithHeaders(
      invitationOperations.acceptInvitation,
      createAcceptInvitation(check, signUp),
      begin,
      FOR_STRANGERS,
    ),
    async createResetLink(ctx, input) {
      const { email, ...link } = await createResetLink(ctx, input);
      return shown(ctx, link, await mailLink(ctx, "password-reset", email, link));
    },
    useResetLink: { verb: createUseResetLink(check), ...FOR_STRANGERS },
  });
}

function offerOf({ email, role, expiresAt }: Invitation): InvitationOffer {
  return { email: email ?? null, role, expiresAt: formatTime(expiresAt) };
}

function shown(ctx: Context, { path, expiresAt }: NewLink, isMailed: boolean): OneTimeLink {
  return { link: requireSession(ctx).origin + path, expiresAt: formatTime(expiresAt), isMailed };
}

/**
 * Creates the endpoints for emails.
 *
 * @param isSending true if petstore is configured to send emails
 */
export function mailEndpoints(check: PasswordCheck, isSending: boolean) {
  return endpoints(mailOperations, {
    listUnsentMails,
    redeliverMail,
    requestReset: { verb: createRequestReset(check, isSending), ...FOR_STRANGERS },
  });
}

export const PEOPLE = endpoints(peopleOperations, {
  async listAccounts({ query, now }) {
    const accounts = await query(selectAccounts, []);
    const seen = await query(selectLastSeen, [now, now - SESSION_IDLE_MS]);
    const lastSeenAt = new Map(seen.map(({ accountId, at }) => [accountId, formatTime(at)]));
    return accounts
      .filter(({ canSignIn }) => canSignIn)
      .map((account) => ({ ...personOf(account), lastSeenAt: lastSeenAt.get(account.id) ?? null }));
  },
  setRole: async (ctx, { accountId, body }) => personOf(await setRole(ctx, { accountId, role: body.role })),
  removeAccount,
});

function personOf({ id, email, role, createdAt }: Account): Person {
  return { id, email, role, createdAt: formatTime(createdAt) };
}
