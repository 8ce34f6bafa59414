import type { AccountActor, Actor, KeyActor, VisitorActor } from "../context.ts";
import type { Addresses, Exchange } from "./exchange.ts";

/** How people and programs are let in below a base address. */
export interface Door {
  /** Whether pages from anywhere may call through it (CORS). */
  readonly allowsAnyOrigin: boolean;
  /**
   * Who is asking.
   *
   * @throws ServiceError `unauthorized`, `forbidden`
   */
  admit(exchange: Exchange, addresses: Addresses): Promise<AccountActor>;
  /**
   * Whether that is still so, asked once the body has arrived: it may have taken seconds.
   *
   * @throws ServiceError `unauthorized`
   */
  confirm?(actor: Actor, now: number): Promise<void>;
  /** Who is asking, at once, where that is known beyond doubt; undefined says nothing about anybody. */
  recall?(request: Request, now: number): KeyActor | undefined;
  /** The same as `admit` for an endpoint that is open to visitors. */
  admitVisitor?(exchange: Exchange, addresses: Addresses): Promise<AccountActor | VisitorActor>;
}
