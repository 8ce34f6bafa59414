import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Simulate } from "./call.ts";
import type { RequestContext } from "./request-context.ts";

export const SIMULATE_HEADER = "petstore-simulate";

/** Whether a request asks for a failure to be rehearsed. */
export function asksForSimulation({ headers }: Request): boolean {
  return headers.has(SIMULATE_HEADER);
}

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
