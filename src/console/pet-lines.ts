import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { createEndpoint, type Endpoint } from "../http/endpoint.ts";
import type { Line, Lines } from "../http/lines.ts";
import { consoleOperations } from "./contract.ts";

type Operation = typeof consoleOperations.sendPetLines;
type SentLine = Input<Operation>["body"]["lines"][number];

/** The endpoints that a line calls: `createPet`, or `updatePet` for a line with an animal's identifier. */
export interface PetEndpoints {
  readonly createPet: Endpoint;
  readonly updatePet: Endpoint;
}

/** Adds or changes many animals by one request. A session sends one such request at a time. */
export function petLinesEndpoint({ createPet, updatePet }: PetEndpoints): Endpoint<Operation> {
  const sending = new Set<string>();

  function lineOf({ petId, idempotencyKey, ifMatch, body: json }: SentLine): Line {
    const headers: Record<string, string> = {};
    if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
    if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
    return petId === undefined
      ? { endpoint: createPet, path: "/pets", values: {}, headers, json }
      : { endpoint: updatePet, path: `/pets/${petId}`, values: { petId }, headers, json };
  }

  return createEndpoint(consoleOperations.sendPetLines, {
    commit: "lines",
    run({ actor }: Context, input): Lines {
      const { lines } = (input as Input<Operation>).body;
      const session = actor.kind === "session" ? actor.sessionId : "";
      if (sending.has(session))
        throw new ServiceError(
          "rate_limited",
          "This session is already sending lines. Wait for their answer.",
          {
            headers: { "Retry-After": "1" },
          },
        );
      sending.add(session);
      return { lines: lines.map(lineOf), onAnswered: () => sending.delete(session) };
    },
  });
}
