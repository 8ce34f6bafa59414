import type { Context } from "../../context.ts";
import type { Role } from "../../contract/operation.ts";
import { invalidMember } from "../../errors.ts";
import { LINK_LIFE_MS } from "../../limits.ts";
import { randomBase62 } from "../../platform/random.ts";
import { change } from "../audit/audited.ts";
import { selectAccountByEmail } from "../store.ts";
import { createLinkToken } from "./link-token.ts";
import { putInvitation } from "./store.ts";

interface NewInvitation {
  /** As `normalizeEmail` returns it; left out, the person chooses one. */
  readonly email?: string | undefined;
  readonly role: Role;
}

/** A link's token, which is shown once, and its last moment in milliseconds since 1970. */
export interface NewLink {
  readonly token: string;
  readonly expiresAt: number;
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
  const { token, tokenHash } = createLinkToken(ctx.randomBytes);
  const expiresAt = ctx.now + LINK_LIFE_MS;
  await change(ctx, putInvitation, [id, email, role, tokenHash, makerOf(ctx), ctx.now, expiresAt], () => ({
    subject: email || id,
    detail: role,
  }));
  return { token, expiresAt };
}

/** The account that makes a link; null for the operator. */
export function makerOf({ actor }: Context): number | null {
  return actor.kind === "session" ? actor.accountId : null;
}
