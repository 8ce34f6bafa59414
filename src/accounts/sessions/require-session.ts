import type { AnonymousActor, Context, SessionActor } from "../../context.ts";
import { ServiceError } from "../../errors.ts";

/** The challenge of a 401 to a browser: how to sign in (RFC 9110 §11.6.1). */
export const SIGN_IN_CHALLENGE = 'Cookie realm="petstore", form-action="/sign-in"';

/** @throws ServiceError `forbidden` unless the actor is a person who has signed in */
export function requireSession({ actor }: Context): SessionActor {
  if (actor.kind === "session") return actor;
  throw new ServiceError("forbidden", "Only a person who has signed in may do this. Sign in at /sign-in.");
}

/** @throws ServiceError `forbidden` unless the actor is a person with a browser */
export function requireBrowser({ actor }: Context): SessionActor | AnonymousActor {
  if (actor.kind === "session" || actor.kind === "anonymous") return actor;
  throw new ServiceError("forbidden", "Only a person with a browser may do this.");
}
