import { type Context, inTransaction, type SignUp } from "../../context.ts";
import type { Input, Role } from "../../contract/operation.ts";
import { invalidMember, ServiceError } from "../../errors.ts";
import { LINK_LIFE_MS } from "../../limits.ts";
import { randomBase62, randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import { guardOwners, lacksOwner } from "../accounts.ts";
import { runAudited } from "../audit/audit.ts";
import { normalizeEmail } from "../email.ts";
import { type PasswordCheck, requireGoodPassword } from "../passwords.ts";
import { type Begun, requireBrowser } from "../sessions/sessions.ts";
import { createSignedIn, REFUSALS } from "../sign-up.ts";
import { selectAccountByEmail } from "../store.ts";
import type { invitationOperations } from "./contract.ts";
import {
  acceptInvitationRow,
  type Invitation,
  putInvitation,
  selectInvitationByHash,
  selectInvitations,
  withdrawInvitationRow,
} from "./store.ts";

interface NewInvitation {
  /** Email address of the invited person, normalized by `normalizeEmail`. If left out, that person chooses it. */
  readonly email?: string | undefined;
  readonly role: Role;
}

const ID_LENGTH = 16;

/**
 * Creates an invitation in the transaction of `ctx`. It replaces the previous invitation of the same address. Without an
 * address, several can be valid at the same time.
 *
 * @throws ServiceError `invalid_body` if the address has an account
 */
export async function createInvitation(ctx: Context, { email, role }: NewInvitation): Promise<NewLink> {
  const taken = email === undefined ? [] : await ctx.query(selectAccountByEmail, [email]);
  if (taken.length > 0) throw invalidMember("email", "has an account already");
  const id = `inv_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const { link, row } = newLink(ctx, "/invitation");
  await runAudited(ctx, putInvitation, { ...row, id, email: email ?? null, role }, describe);
  return link;
}

export const OWNER_LINKS_MAX = 20; // maximum number of valid links for the first owner; beyond it, a start or `petstore demo` creates no more

/**
 * Creates a link for the first owner in the transaction of `ctx`. It is valid until it expires or there is an owner.
 *
 * @returns undefined if there is an owner, or `OWNER_LINKS_MAX` links are valid, because a restart loop must not fill the store
 */
export async function createOwnerLink(ctx: Context): Promise<NewLink | undefined> {
  if (!(await lacksOwner(ctx.query))) return undefined;
  const valid = await ctx.query(selectInvitations, [ctx.now]);
  const made = valid.filter(({ email, role }) => email === undefined && role === "owner");
  if (made.length >= OWNER_LINKS_MAX) return undefined;
  return createInvitation(ctx, { role: "owner" });
}

/** Withdraws an invitation. @throws ServiceError `not_found` */
export async function withdrawInvitation(
  ctx: Context,
  { invitationId }: Input<typeof invitationOperations.withdrawInvitation>,
): Promise<undefined> {
  const withdrawn = await runAudited(ctx, withdrawInvitationRow, [invitationId], describe);
  if (withdrawn.length === 0) throw new ServiceError("not_found", "There is no such invitation.");
}

function describe({ id, email, role }: Invitation) {
  return { subject: email ?? id, detail: role };
}

/** Refuses invitations if accounts can be created only at the command line. @throws ServiceError `forbidden` */
export function requireInvitations(policy: SignUp): void {
  if (policy === "closed") throw new ServiceError("forbidden", REFUSALS.closed);
}

/** The invitation that a link is for. @throws ServiceError `not_found` for a used, expired or unknown link */
export async function requireInvitation(ctx: Context, token: string): Promise<Invitation> {
  const [invitation] = await ctx.query(selectInvitationByHash, [sha256(token), ctx.now]);
  if (invitation === undefined) throw linkEnded();
  return invitation;
}

/**
 * Creates the invited account and signs in to it. An invitation can be used once.
 *
 * @throws ServiceError (from the verb) `forbidden`, `not_found`, `invalid_body`, `unavailable`
 */
export function createAcceptInvitation({ passwords }: PasswordCheck, policy: SignUp) {
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
      // This comes first. Otherwise two transactions, each of which deletes its own link and then the other's, could deadlock.
      await guardOwners(inside.query);
      const [accepted] = await runAudited(
        inside,
        acceptInvitationRow,
        [sha256(body.token), ctx.now],
        (row) => ({
          ...describe(row),
          person: email,
        }),
      );
      if (accepted === undefined) throw linkEnded();
      return createSignedIn(inside, browser, { email, passwordHash, role: accepted.role });
    });
  };
}

function addressOf({ email: invited }: Invitation, given: string | undefined): string {
  const email = given === undefined ? invited : normalizeEmail(given);
  if (email === undefined) throw invalidMember("email", "is required");
  if (invited !== undefined && email !== invited)
    throw invalidMember("email", `must be ${invited}, the address that was invited`);
  return email;
}

export interface NewLink {
  /**
   * Link, relative to the console's origin. Its token is in the fragment, which browsers do not send, so no log or proxy sees
   * it.
   */
  readonly path: string;
  /** SHA-256 of the token, by which the store knows the link. */
  readonly tokenHash: Uint8Array;
  /** Time at which the link expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Makes a one-time link in the name of the actor, and the columns that the row of every link has. */
export function newLink({ randomBytes, actor, now }: Context, page: "/invitation" | "/reset-password") {
  const token = randomSecret(randomBytes);
  const expiresAt = now + LINK_LIFE_MS;
  const madeBy = actor.kind === "session" ? actor.accountId : null;
  const tokenHash = sha256(token);
  const link: NewLink = { path: `${page}#${token}`, tokenHash, expiresAt };
  return { link, row: { tokenHash, madeBy, expiresAt } };
}

export function linkEnded(): ServiceError {
  return new ServiceError(
    "not_found",
    "This link is not valid: it has been used, replaced or cancelled, is older than 72 hours, or was for the first owner, and the store has an owner now. Ask for a new link.",
  );
}
