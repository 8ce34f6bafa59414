import type { AccountActor, AnonymousActor, KeyActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { RequestContext } from "./request-context.ts";

/** Finds out who sends a request, for the endpoints below one base address. */
export interface Authenticator {
  /** Whether pages of any origin may call the endpoints (CORS). */
  readonly allowsAnyOrigin: boolean;
  /** @throws ServiceError `unauthorized`, `forbidden` */
  authenticate(context: RequestContext): Maybe<AccountActor>;
  /** The actor where it is known without asking the database; undefined is no refusal. */
  authenticateFromCache?(context: RequestContext): KeyActor | undefined;
  /**
   * Called once the body of a change has arrived, which may take seconds.
   *
   * @throws ServiceError `unauthorized` when the key or session has ended meanwhile, `forbidden` when its account's role has
   *   changed
   */
  revalidate(context: RequestContext, operation: Operation): Promise<void>;
  /** The same as `authenticate`, for an endpoint that allows anonymous requests. */
  authenticateOptional?(context: RequestContext): Maybe<AccountActor | AnonymousActor>;
}
