import { ServiceError } from "../../errors.ts";
import type { Maybe } from "../../platform/maybe.ts";
import type { ResetPart } from "../../storage/database.ts";
import type { Call, Simulate } from "../call.ts";

export const SIMULATE_HEADER = "petstore-simulate";

export const simulationReset: ResetPart = { continuing: ["simulation"] };

export function asksForSimulation({ headers }: Request): boolean {
  return headers.has(SIMULATE_HEADER);
}

/** Creates a response whose body fails before its first byte, so that the runtime closes the connection without sending anything. */
export function lostResponse({ request, cutOff }: Call): Maybe<Response> {
  if (request.method !== "HEAD")
    return new Response(new ReadableStream({ start: (controller) => controller.error() }));
  // The response to HEAD has no body that could fail, so the connection is closed instead, which takes a few seconds.
  cutOff();
  return new Promise(() => {});
}

/** Refuses a request with `Petstore-Simulate`. Used by services that do not offer simulations. */
export const refuseSimulation: Simulate = () => {
  throw new ServiceError("invalid_request", "Petstore-Simulate works in staging only. Remove the header.");
};
