import { Hono, type Context as HonoContext } from "hono";
import type { Clock } from "../clock.ts";
import type { ServiceError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { FileAnswer } from "./answer.ts";
import { CORS_HEADERS } from "./cors.ts";
import { type Endpoint, routesOf } from "./endpoint.ts";
import { encodeError, refusalFor } from "./error-answer.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { requireHost } from "./host.ts";
import { answerPage, type OpenPage } from "./open-page.ts";
import { type Addresses, type Pipeline, travel } from "./pipeline.ts";
import { healthPage, readyPage } from "./probes.ts";

/** An application: a function from Request to Response, and a way to have it take its leave. */
export interface Service {
  readonly name: string;
  fetch(request: Request): Promise<Response>;
  /** From now on it is not ready, and asks its clients to connect elsewhere. Requests are answered all the same. */
  drain(): void;
}

interface ServiceOptions {
  readonly name: string;
  /** `/v1`, or nothing. */
  readonly basePath: string;
  /** The base address that clients see; without one, the request's own `Host` tells. */
  readonly publicUrl?: string | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly pages: readonly OpenPage[];
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

type Env = { Bindings: Exchange };

export function createService(options: ServiceOptions): Service {
  const { basePath, pipeline, clock } = options;
  const router = new Hono<Env>({ getPath: (_request, { env } = {}) => env?.path ?? "" });
  let isDraining = false;

  for (const page of [healthPage, readyPage(pipeline.database, () => isDraining), ...options.pages]) {
    router.all(page.path, (c) => respond(options, c, (addresses) => answerPage(page, c.env, addresses)));
  }
  for (const route of routesOf(options.endpoints)) {
    router.all(basePath + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (c) =>
      respond(options, c, (addresses) => travel(pipeline, c.env, addresses, route, c.req.param())),
    );
  }
  router.notFound((c) =>
    respond(options, c, (addresses) => travel(pipeline, c.env, addresses, undefined, {})),
  );

  return {
    name: options.name,
    async fetch(request) {
      const startedAt = performance.now();
      const exchange = createExchange(request, clock.now(), pipeline.randomBytes);
      if (isDraining) exchange.headers["Connection"] = "close";
      const response = await router.fetch(request, exchange);
      observe(options, exchange, response.status, performance.now() - startedAt);
      return response;
    },
    drain() {
      isDraining = true;
    },
  };
}

/** Runs the steps, turns whatever they throw into an answer, and adds the lines that every answer carries. */
async function respond(
  options: ServiceOptions,
  { env: exchange }: HonoContext<Env>,
  steps: (addresses: Addresses) => Promise<FileAnswer>,
): Promise<Response> {
  let addresses: Addresses = { origin: "", base: "" };
  let answer: FileAnswer;
  try {
    addresses = addressesOf(options, requireHost(exchange));
    answer = await steps(addresses);
  } catch (error) {
    const refusal = refusalFor(error);
    logFault(options, exchange, error, refusal);
    answer = encodeError(refusal, exchange.request, addresses.origin);
  }
  return toResponse(answer, exchange);
}

/** A refusal of ours without a cause, such as "about to stop", is no fault. */
function logFault(
  { log, name }: ServiceOptions,
  { requestId }: Exchange,
  error: unknown,
  refusal: ServiceError,
): void {
  if (refusal.status < 500 || (error === refusal && refusal.cause === undefined)) return;
  log.error({ requestId, service: name, err: refusal.cause ?? error }, "fault");
}

function toResponse({ status, headers, body }: FileAnswer, exchange: Exchange): Response {
  const lines: Record<string, string> = {
    ...CORS_HEADERS,
    "X-Request-Id": exchange.requestId,
    "X-Content-Type-Options": "nosniff",
    ...exchange.headers,
    ...headers,
  };
  const links = [exchange.headers["Link"], headers["Link"]].filter((link) => link !== undefined);
  if (links.length > 0) lines["Link"] = links.join(", ");
  if (exchange.request.method === "HEAD" && body !== null) {
    // The runtime adds both to an answer with a body, and neither to one that loses it on the way.
    lines["Content-Length"] = String(Buffer.byteLength(body));
    lines["Date"] = new Date(exchange.now).toUTCString();
  }
  return new Response(body, { status, headers: lines });
}

function addressesOf({ publicUrl, basePath }: ServiceOptions, host: string): Addresses {
  if (publicUrl !== undefined) return { origin: new URL(publicUrl).origin, base: publicUrl };
  return { origin: `http://${host}`, base: `http://${host}${basePath}` };
}

function observe(options: ServiceOptions, exchange: Exchange, status: number, milliseconds: number): void {
  const { name: service, metrics, log } = options;
  const operation = exchange.operation?.id ?? "none";
  metrics.requests.inc({ service, operation, status });
  metrics.requestSeconds.observe({ service, operation }, milliseconds / 1000);
  if (exchange.operation?.deprecation !== undefined) {
    metrics.deprecatedRequests.inc({ service, operation, key: exchange.actor?.keyId ?? "none" });
  }
  log.info(
    {
      requestId: exchange.requestId,
      service,
      method: exchange.request.method,
      operation: exchange.operation?.id,
      status,
      durationMs: Math.round(milliseconds * 1000) / 1000,
      keyId: exchange.actor?.keyId,
    },
    "request",
  );
}
