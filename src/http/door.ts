import type { AccountActor, KeyActor, VisitorActor } from "../context.ts";
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
  /** Who is asking, at once, where that is known beyond doubt; undefined says nothing about anybody. */
  recall?(request: Request, now: number): KeyActor | undefined;
  /** The same as `admit` for an endpoint that is open to visitors. */
  admitVisitor?(exchange: Exchange, addresses: Addresses): Promise<AccountActor | VisitorActor>;
}
