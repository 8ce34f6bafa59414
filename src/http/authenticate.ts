import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Authenticator } from "./authenticator.ts";
import { askVersion, type CacheableRequest } from "./cached-response.ts";

interface Unauthenticated extends CacheableRequest {
  readonly pipeline: CacheableRequest["pipeline"] & { readonly authenticator: Authenticator };
}

/** The step that sets the actor, where the cache has not told it. */
export function authenticate(call: Unauthenticated): Maybe<undefined> {
  const { pipeline, context, endpoint } = call;
  const { authenticator } = pipeline;
  if (context.actor !== undefined) return undefined;
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(context);
  const found = optional ?? authenticator.authenticate(context);
  return andThen(found, (actor) => {
    context.actor = actor;
    call.asked = askVersion(call);
    return undefined;
  });
}
