import { type Context, inTransaction } from "../../context.ts";
import type { Input, Role } from "../../contract/operation.ts";
import { invalidMember, ServiceError } from "../../errors.ts";
import { randomBase62 } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import { createAccount } from "../accounts.ts";
import { change } from "../audit/audited.ts";
import { normalizeEmail } from "../email.ts";
import { type PasswordCheck, requireGoodPassword } from "../passwords.ts";
import { type Begun, beginSession, requireBrowser } from "../sessions/sessions.ts";
import { REFUSALS, type SignUpPolicy } from "../sign-up.ts";
import { selectAccountByEmail } from "../store.ts";
import type { invitationOperations } from "./contract.ts";
import { linkEnded, type NewLink, newLink } from "./link.ts";
import {
  acceptInvitationRow,
  type Invitation,
  putInvitation,
  selectInvitationByHash,
  withdrawInvitationRow,
} from "./store.ts";

interface NewInvitation {
  /** As `normalizeEmail` returns it; left out, the person chooses one. */
  readonly email?: string | undefined;
  readonly role: Role;
}

const ID_LENGTH = 16;

/**
 * Makes an invitation inside a transaction. It ends the one before of the same address, or of none.
 *
 * @throws ServiceError `invalid_body` when the address has an account already
 */
export async function createInvitation(ctx: Context, { email = "", role }: NewInvitation): Promise<NewLink> {
  const taken = email === "" ? [] : await ctx.query(selectAccountByEmail, [email]);
  if (taken.length > 0) throw invalidMember("email", "has an account already");
  const id = `inv_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const { link, row } = newLink(ctx, "/invitation");
  await change(ctx, putInvitation, [...row, id, email, role], describe);
  return link;
}

/** @throws ServiceError `not_found` */
export async function withdrawInvitation(
  ctx: Context,
  { invitationId }: Input<typeof invitationOperations.withdrawInvitation>,
): Promise<undefined> {
  const withdrawn = await change(ctx, withdrawInvitationRow, [invitationId], describe);
  if (withdrawn.length === 0) throw new ServiceError("not_found", "There is no such invitation.");
}

/** For the audit list. */
function describe({ id, email, role }: Invitation) {
  return { subject: email || id, detail: role };
}

/** @throws ServiceError `forbidden` where only the command line makes accounts */
export function requireInvitations({ mode }: SignUpPolicy): void {
  if (mode === "closed") throw new ServiceError("forbidden", REFUSALS.closed);
}

/** @throws ServiceError `not_found` */
export async function requireInvitation(ctx: Context, token: string): Promise<Invitation> {
  const [invitation] = await ctx.query(selectInvitationByHash, [sha256(token), ctx.now]);
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
      const [accepted] = await change(inside, acceptInvitationRow, [sha256(body.token), ctx.now], (row) => ({
        ...describe(row),
        person: email,
      }));
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
