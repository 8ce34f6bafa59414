import type { AccountActor, AnonymousActor } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Slot } from "./concurrency-limit.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RequestContext } from "./request-context.ts";
import type { FileResponseData } from "./response.ts";

export const SIMULATE_HEADER = "petstore-simulate";

/** Whether a request asks for a failure to be rehearsed. */
export function asksForSimulation({ headers }: Request): boolean {
  return headers.has(SIMULATE_HEADER);
}

/** A request that has passed every step up to its rate limit. */
export interface SimulatedCall {
  readonly context: RequestContext;
  readonly slot: Slot;
  readonly actor: AccountActor | AnonymousActor;
  readonly endpoint: Endpoint;
}

/**
 * The step of a request that asks for a simulation; `handle` carries the request out.
 *
 * @throws ServiceError the simulated error; `invalid_request`
 */
export type Simulate = (
  call: SimulatedCall,
  handle: () => Maybe<FileResponseData>,
) => Maybe<FileResponseData>;

/** The runtime cuts the connection of a body that fails before it begins; not a byte is sent. */
export function lostResponse({ request, cutOff }: RequestContext): Maybe<Response> {
  if (request.method !== "HEAD")
    return new Response(new ReadableStream({ start: (controller) => controller.error() }));
  // It has no body that could fail: the connection ends within seconds.
  cutOff();
  return new Promise(() => {});
}

/** That of a service which has no simulations. */
export const refuseSimulation: Simulate = () => {
  throw new ServiceError("invalid_request", "Petstore-Simulate is for staging only: leave it out here.");
};
