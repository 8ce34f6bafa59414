import { type Context, inTransaction } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { invalidMember, ServiceError } from "../../errors.ts";
import { change } from "../audit/audited.ts";
import type { PasswordCheck } from "../check-password.ts";
import { createAccount } from "../create-account.ts";
import { normalizeEmail } from "../email.ts";
import { requireGoodPassword } from "../passwords.ts";
import { requireBrowser } from "../sessions/require-session.ts";
import { beginSession } from "../sessions/sessions.ts";
import type { Begun } from "../sessions/sign-in.ts";
import { REFUSALS } from "../sign-up.ts";
import type { SignUpPolicy } from "../sign-up-policy.ts";
import type { invitationOperations } from "./contract.ts";
import { hashLinkToken } from "./link-token.ts";
import { acceptInvitationRow, type Invitation, selectInvitationByHash } from "./store.ts";

/** @throws ServiceError `forbidden` where only the command line makes accounts */
export function requireInvitations({ mode }: SignUpPolicy): void {
  if (mode === "closed") throw new ServiceError("forbidden", REFUSALS.closed);
}

/** @throws ServiceError `not_found` */
export async function requireInvitation(ctx: Context, token: string): Promise<Invitation> {
  const [invitation] = await ctx.query(selectInvitationByHash, [hashLinkToken(token), ctx.now]);
  if (invitation === undefined) throw linkEnded();
  return invitation;
}

/**
 * Makes the account that a link is for, once, and signs in with it.
 *
 * @throws ServiceError (from the verb) `forbidden`, `not_found`, `invalid_body`, `unavailable`
 */
export function createAcceptInvitation({ passwords }: PasswordCheck, policy: SignUpPolicy) {
  return async function acceptInvitation(
    ctx: Context,
    { body }: Input<typeof invitationOperations.acceptInvitation>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    requireInvitations(policy);
    const invitation = await requireInvitation(ctx, body.token);
    const email = addressOf(invitation, body.email);
    await requireGoodPassword(body.password, email);
    const passwordHash = await passwords.hash(body.password);
    return inTransaction(ctx, async (inside) => {
      const [accepted] = await change(
        inside,
        acceptInvitationRow,
        [hashLinkToken(body.token), ctx.now],
        ({ id, role }) => ({ subject: invitation.email || id, detail: role, person: email }),
      );
      if (accepted === undefined) throw linkEnded();
      const account = await createAccount(inside, { email, passwordHash, role: accepted.role });
      const token = await beginSession(inside, { ...browser, account, passwordHash });
      if (token === undefined) throw new TypeError("The account was made in this transaction.");
      return { account, token };
    });
  };
}

function addressOf(invitation: Invitation, given: string | undefined): string {
  if (given === undefined && invitation.email === "") throw invalidMember("email", "is required");
  const email = given === undefined ? invitation.email : normalizeEmail(given);
  if (invitation.email !== "" && email !== invitation.email)
    throw invalidMember("email", `must be ${invitation.email}, which is invited`);
  return email;
}

export function linkEnded(): ServiceError {
  return new ServiceError(
    "not_found",
    "This link is not valid: it was used, replaced by a newer one, withdrawn, or it is older than 72 hours. Ask for a new one.",
  );
}
