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
  /** The email address of the invited person, normalized by `normalizeEmail`. If it is left out, that person chooses an address. */
  readonly email?: string | undefined;
  readonly role: Role;
}

const ID_LENGTH = 16;

/**
 * Creates an invitation in the transaction of `ctx`. It replaces an earlier invitation for the same email address. Several
 * invitations without an address can be valid at the same time.
 *
 * @throws ServiceError `invalid_body` if the address already has an account
 */
export async function createInvitation(ctx: Context, { email, role }: NewInvitation): Promise<NewLink> {
  const taken = email === undefined ? [] : await ctx.query(selectAccountByEmail, [email]);
  if (taken.length > 0) throw invalidMember("email", "already belongs to an account");
  const id = `inv_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const { link, row } = newLink(ctx, "/invitation");
  await runAudited(ctx, putInvitation, { ...row, id, email: email ?? null, role }, describe);
  return link;
}

export const OWNER_LINKS_MAX = 20; // maximum number of valid links for the first owner; once it is reached, neither starting the service nor `petstore demo` creates another link

/**
 * Creates a link for the first owner in the transaction of `ctx`. The link is valid until it expires, or until the store has an
 * owner.
 *
 * @returns undefined if the store has an owner, or already has `OWNER_LINKS_MAX` valid links; without this maximum, a service
 *   that keeps restarting would fill the database
 */
export async function createOwnerLink(ctx: Context): Promise<NewLink | undefined> {
  if (!(await lacksOwner(ctx.query))) return undefined;
  const valid = await ctx.query(selectInvitations, [ctx.now]);
  const made = valid.filter(({ email, role }) => email === undefined && role === "owner");
  if (made.length >= OWNER_LINKS_MAX) return undefined;
  return createInvitation(ctx, { role: "owner" });
}

/** Cancels an invitation. @throws ServiceError `not_found` */
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

/** Returns the invitation that a link belongs to. @throws ServiceError `not_found` for a used, expired or unknown link */
export async function requireInvitation(ctx: Context, token: string): Promise<Invitation> {
  const [invitation] = await ctx.query(selectInvitationByHash, [sha256(token), ctx.now]);
  if (invitation === undefined) throw linkEnded();
  return invitation;
}

/**
 * Creates the invited person's account and signs the person in. An invitation can be used only once.
 *
 * @throws ServiceError (when the returned function is called) `forbidden`, `not_found`, `invalid_body`, `unavailable`
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
      // The call of `guardOwners` comes first, to prevent a deadlock. Otherwise, two transactions could each delete their own link,
      // and then wait for each other when they delete all other links.
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
    throw invalidMember("email", `must be the address that was invited, ${invited}`);
  return email;
}

export interface NewLink {
  /**
   * The path and fragment of the link. The token is in the fragment. Browsers do not send fragments, so the token appears in no
   * log and reaches no proxy.
   */
  readonly path: string;
  /** The SHA-256 hash of the token. The store contains only the hash. */
  readonly tokenHash: Uint8Array;
  /** Time at which the link expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Creates a one-time link on behalf of the actor. `row` contains the values of the columns that every kind of link has. */
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
    "This link is not valid any more: it has expired, or it was used, replaced or cancelled. Ask for a new link.",
  );
}
