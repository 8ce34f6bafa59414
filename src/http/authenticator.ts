import type { AccountActor, Actor, AnonymousActor, KeyActor } from "../context.ts";
import type { Addresses, RequestContext } from "./request-context.ts";

/** How people and programs are let in below a base address. */
export interface Authenticator {
  /** Whether pages from anywhere may call through it (CORS). */
  readonly allowsAnyOrigin: boolean;
  /**
   * Who is asking.
   *
   * @throws ServiceError `unauthorized`, `forbidden`
   */
  authenticate(exchange: RequestContext, addresses: Addresses): Promise<AccountActor>;
  /**
   * Whether that is still so, asked once the body has arrived: it may have taken seconds.
   *
   * @throws ServiceError `unauthorized`
   */
  revalidate?(actor: Actor, now: number): Promise<void>;
  /** Who is asking, at once, where that is known beyond doubt; undefined says nothing about anybody. */
  authenticateFromCache?(request: Request, now: number): KeyActor | undefined;
  /** The same as `admit` for an endpoint that is open to visitors. */
  authenticateOptional?(
    exchange: RequestContext,
    addresses: Addresses,
  ): Promise<AccountActor | AnonymousActor>;
}
