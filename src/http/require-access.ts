import type { Actor } from "../context.ts";
import { hasAccess, hasRole, leastAccess, leastRole, type Operation } from "../contract/operation.ts";
import { accessRefusal } from "../contract/operation-errors.ts";
import { ServiceError } from "../errors.ts";

/** The scheme and realm at the beginning of every `WWW-Authenticate` challenge to a program. */
export const REALM = 'Bearer realm="petstore"';

/**
 * Refuses an operation that the account's role does not allow or, for an API key, that the key's access level does not allow.
 *
 * @throws ServiceError `forbidden`; the response to a key contains a challenge (RFC 6750 §3.1)
 */
export function requireAccess(operation: Operation, actor: Actor): void {
  // Anonymous requests to endpoints that do not allow them have already been refused.
  if (actor.kind === "anonymous" || actor.kind === "operator") return;
  const isKey = actor.kind === "key";
  if (isKey && !hasAccess(actor.access, leastAccess(operation)))
    throw forbiddenToKey(operation, accessRefusal(operation, actor.access));
  const role = leastRole(operation);
  if (hasRole(actor.role, role)) return;
  const needed = role === "owner" ? "an owner" : "staff";
  if (isKey)
    throw forbiddenToKey(
      operation,
      `The account of this API key has the role ${actor.role}, but this operation needs ${needed}.`,
    );
  throw new ServiceError(
    "forbidden",
    `Your role is ${actor.role}, but this action needs ${needed}. An owner can change your role under People.`,
  );
}

/** Creates the headers of a `forbidden` response. The challenge names the access level that the operation requires. */
export function forbiddenHeaders(operation: Operation) {
  const scope = leastAccess(operation) === "sell" ? "sell" : "read-write";
  return { "WWW-Authenticate": `${REALM}, error="insufficient_scope", scope="${scope}"` };
}

function forbiddenToKey(operation: Operation, message: string): ServiceError {
  return new ServiceError("forbidden", message, { headers: forbiddenHeaders(operation) });
}
