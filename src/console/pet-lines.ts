import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { createEndpoint, type Endpoint, routesOf } from "../http/endpoint.ts";
import type { Line, Lines } from "../http/lines.ts";
import { readPathParameters } from "../http/parameters.ts";
import { consoleOperations } from "./contract.ts";

type Operation = typeof consoleOperations.sendPetLines;
type SentLine = Input<Operation>["body"]["lines"][number];

/** The endpoints for single changes. If a request contains many changes, each change is passed to one of these endpoints. */
export interface PetEndpoints {
  readonly createPet: Endpoint;
  readonly updatePet: Endpoint;
  readonly deletePet: Endpoint;
  readonly placeOrder: Endpoint;
  readonly completeOrder: Endpoint;
  readonly cancelOrder: Endpoint;
}

/**
 * Creates the endpoint that makes many changes to animals and orders in one request. A session can have only one such request at a
 * time.
 */
export function petLinesEndpoint(endpoints: PetEndpoints): Endpoint<Operation> {
  const { createPet, updatePet, deletePet, placeOrder, completeOrder, cancelOrder } = endpoints;
  const lineOf = lineReader([createPet, updatePet, deletePet, placeOrder, completeOrder, cancelOrder]);
  const sending = new Set<string>();
  return createEndpoint(consoleOperations.sendPetLines, {
    commit: "lines",
    run({ actor }: Context, input): Lines {
      const lines = (input as Input<Operation>).body.lines.map(lineOf);
      const session = actor.kind === "session" ? actor.sessionId : "";
      if (sending.has(session))
        throw new ServiceError(
          "rate_limited",
          "Other changes from this session are still in progress. Wait until they are complete, then try again.",
          {
            headers: { "Retry-After": "1" },
          },
        );
      sending.add(session);
      return { lines, onAnswered: () => sending.delete(session) };
    },
  });
}

function lineReader(endpoints: readonly Endpoint[]): (line: SentLine) => Line {
  const routes = routesOf(endpoints).map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
  }));
  return ({ method, path, idempotencyKey, ifMatch, body: json }) => {
    const headers: Record<string, string> = {};
    if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
    if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
    for (const { pattern, parameters, endpoints: byMethod } of routes) {
      const [found, ...texts] = pattern.exec(path) ?? [];
      const endpoint = byMethod.get(method);
      if (found !== undefined && endpoint !== undefined)
        return { endpoint, path, values: readPathParameters(parameters, texts), headers, json };
    }
    throw new ServiceError(
      "invalid_body",
      `A line contains the request ${method} ${path}, which is not allowed here.`,
    );
  };
}
