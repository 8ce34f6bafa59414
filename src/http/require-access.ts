import type { Actor } from "../context.ts";
import { hasRole, leastRole, needsWriting, type Operation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";

/** Start of every `WWW-Authenticate` challenge to a program: the scheme Bearer and its realm. */
export const REALM = 'Bearer realm="petstore"';

/**
 * Refuses what the account's role, and for a key also its access, does not allow.
 *
 * @throws ServiceError `forbidden`, to a key with a challenge (RFC 6750 §3.1)
 */
export function requireAccess(operation: Operation, actor: Actor): void {
  // An anonymous request has been allowed by its endpoint.
  if (actor.kind === "anonymous" || actor.kind === "operator") return;
  const isKey = actor.kind === "key";
  if (isKey && needsWriting(operation) && actor.access === "read")
    throw forbiddenToKey("This API key can only read, but this operation needs a read-write key.");
  const role = leastRole(operation);
  if (hasRole(actor.role, role)) return;
  const needed = role === "owner" ? "an owner" : "staff";
  if (isKey)
    throw forbiddenToKey(
      `The account of this API key has the role ${actor.role}, but this operation needs ${needed}.`,
    );
  throw new ServiceError(
    "forbidden",
    `Your role is ${actor.role}, but this needs ${needed}. An owner can change your role under People.`,
  );
}

export const FORBIDDEN_HEADERS = {
  "WWW-Authenticate": `${REALM}, error="insufficient_scope", scope="read-write"`,
} as const;

function forbiddenToKey(message: string): ServiceError {
  return new ServiceError("forbidden", message, { headers: FORBIDDEN_HEADERS });
}
