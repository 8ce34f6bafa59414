import type { Context } from "../../context.ts";
import { ServiceError } from "../../errors.ts";
import { LINK_LIFE_MS } from "../../limits.ts";
import { randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";

/** A link that works once. It is shown once. */
export interface NewLink {
  /** Below the console's origin. The token is in the fragment: browsers do not send it, so that no log or proxy has it. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A link of the actor, and its first columns in the store. */
export function newLink({ randomBytes, actor, now }: Context, page: "/invitation" | "/reset-password") {
  const token = randomSecret(randomBytes);
  const expiresAt = now + LINK_LIFE_MS;
  const madeBy = actor.kind === "session" ? actor.accountId : null;
  const link: NewLink = { path: `${page}#${token}`, expiresAt };
  return { link, row: [sha256(token), madeBy, expiresAt] as const };
}

export function linkEnded(): ServiceError {
  return new ServiceError(
    "not_found",
    "This link is not valid: it was used, replaced by a newer one, withdrawn, or it is older than 72 hours. Ask for a new one.",
  );
}
