import { Hono, type Context as HonoContext } from "hono";
import type { Clock } from "../clock.ts";
import type { ServiceError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { RandomBytes } from "../random.ts";
import { readTraceParent } from "../tracing/trace-parent.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { FileAnswer } from "./answer.ts";
import { CORS_HEADERS } from "./cors.ts";
import { type Endpoint, type Route, routesOf } from "./endpoint.ts";
import { encodeError, refusalFor } from "./error-answer.ts";
import { type Addresses, createExchange, createRequestIds, type Exchange, requestIdOf } from "./exchange.ts";
import { requireHost } from "./host.ts";
import { createObserver, type Observation } from "./observe.ts";
import { answerPage, type OpenPage } from "./open-page.ts";
import type { PageCache } from "./page-cache.ts";
import { type Pipeline, travel } from "./pipeline.ts";
import { healthPage, readyPage } from "./probes.ts";
import { securityHeadersFor } from "./security-headers.ts";

/** An application: a function from Request to Response, and a way to have it take its leave. */
export interface Service {
  readonly name: string;
  fetch(request: Request, peer?: () => string | undefined): Promise<Response>;
  /** From now on it is not ready, and asks its clients to connect elsewhere. Requests are answered all the same. */
  drain(): void;
}

/** Endpoints below one path, and what every request for them goes through. */
export interface Area {
  /** `/v1`, `/console/api`, or nothing. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

interface ServiceOptions {
  readonly name: string;
  /** The base address that clients see; without one, the request's own `Host` tells. */
  readonly publicUrl?: string | undefined;
  /** The first is the service's own: its path ends the base address, and it answers for paths that nobody serves. */
  readonly areas: readonly [Area, ...Area[]];
  readonly pages: readonly OpenPage[];
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent when nobody follows requests. */
  readonly tracer?: Tracer | undefined;
  /** Told of each call of an operation that is about to end. */
  readonly onDeprecatedCall: (keyId: string, operation: string, now: number) => void;
}

type Answered = Omit<Observation, "traceId" | "milliseconds" | "now">;

type Env = { Bindings: Exchange };

export function createService(given: ServiceOptions): Service {
  const options = { ...given, constantHeaders: constantHeadersFor(given.publicUrl) };
  const { areas, clock, randomBytes } = options;
  const [own] = areas;
  const nextRequestId = createRequestIds(randomBytes);
  const observe = createObserver(options);
  const router = new Hono<Env>({ getPath: (_request, { env } = {}) => env?.path ?? "" });
  let isDraining = false;

  for (const page of [healthPage, readyPage(own.pipeline.database, () => isDraining), ...options.pages]) {
    router.all(page.path, (c) => respond(options, c, (addresses) => answerPage(page, c.env, addresses)));
  }
  const serveRoute = (c: HonoContext<Env>, { path, pipeline }: Area, route?: Route) =>
    respond(
      options,
      c,
      ({ origin, base }) =>
        travel(
          pipeline,
          c.env,
          { origin, base: path === own.path ? base : origin + path },
          route,
          c.req.param(),
        ),
      pipeline,
    );
  for (const area of areas) {
    for (const route of routesOf(area.endpoints)) {
      router.all(area.path + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (c) => serveRoute(c, area, route));
    }
  }
  for (const area of areas.slice(1)) router.all(`${area.path}/*`, (c) => serveRoute(c, area));
  router.notFound((c) => serveRoute(c, own));

  return {
    name: options.name,
    async fetch(request, peer = noPeer) {
      const startedAt = performance.now();
      const now = clock.now();
      const caller = readTraceParent(request.headers.get("traceparent"));
      const trace = options.tracer?.begin(caller, now);
      const finish = (what: Answered): void => {
        const { operation, requestId, method, status } = what;
        observe({
          ...what,
          traceId: trace?.traceId ?? caller?.traceId,
          milliseconds: performance.now() - startedAt,
          now,
        });
        trace?.end({ service: options.name, method, operation, status, requestId });
      };
      if (!isDraining) {
        const recalled = recallPage(own.pipeline, request, now, nextRequestId);
        if (recalled !== undefined) {
          const { response, ...what } = recalled;
          finish({ ...what, method: "GET", status: response.status });
          return response;
        }
      }
      const exchange = createExchange(request, now, nextRequestId, peer, trace);
      if (isDraining) exchange.headers["Connection"] = "close";
      const response = await router.fetch(request, exchange);
      const { requestId, operation, actor } = exchange;
      finish({ requestId, method: request.method, operation, actor, status: response.status });
      return response;
    },
    drain() {
      isDraining = true;
    },
  };
}

/**
 * The shortest way: who asks is known, what is asked was answered before, and nothing has changed since. It refuses
 * nothing; whatever is not all of that goes the whole way.
 */
function recallPage({ pages, door }: Pipeline, request: Request, now: number, nextRequestId: () => string) {
  if (pages === undefined || door.recall === undefined || request.method !== "GET") return undefined;
  if (!pages.has(request.url)) return undefined;
  const actor = door.recall(request, now);
  if (actor === undefined) return undefined;
  const requestId = requestIdOf(request, nextRequestId);
  const recalled = pages.recall(request, requestId);
  return recalled && { ...recalled, requestId, actor };
}

/** A request that came by no port, as in a test. */
function noPeer(): undefined {
  return undefined;
}

/** Header lines that are the same for every answer: of a door for pages from anywhere, and of one for its own alone. */
interface ConstantHeaders {
  readonly shared: Readonly<Record<string, string>>;
  readonly own: Readonly<Record<string, string>>;
}

function constantHeadersFor(publicUrl: string | undefined): ConstantHeaders {
  const own = securityHeadersFor(publicUrl);
  return { own, shared: { ...CORS_HEADERS, ...own } };
}

/** Runs the steps, turns whatever they throw into an answer, and adds the lines that every answer carries. */
async function respond(
  options: ServiceOptions & { readonly constantHeaders: ConstantHeaders },
  { env: exchange }: HonoContext<Env>,
  steps: (addresses: Addresses) => Promise<FileAnswer>,
  { door, pages }: Partial<Pipeline> = {},
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
  const { shared, own } = options.constantHeaders;
  return toResponse(answer, exchange, (door?.allowsAnyOrigin ?? true) ? shared : own, pages);
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

function toResponse(
  { status, headers, body }: FileAnswer,
  exchange: Exchange,
  constant: Readonly<Record<string, string>>,
  pages: PageCache | undefined,
): Response {
  const lines: Record<string, string> = {
    ...constant,
    "X-Request-Id": exchange.requestId,
    ...exchange.headers,
    ...headers,
  };
  const links = [exchange.headers["Link"], headers["Link"]].filter((link) => link !== undefined);
  if (links.length > 0) lines["Link"] = links.join(", ");
  if (exchange.request.method === "HEAD" && body !== null) {
    // The runtime adds both to an answer with a body, and neither to one that loses it on the way.
    lines["Content-Length"] = String(Buffer.byteLength(body));
    lines["Date"] = new Date(exchange.now).toUTCString();
  } else keepPage(pages, exchange, status, lines, body);
  return new Response(body, { status, headers: lines });
}

function keepPage(
  pages: PageCache | undefined,
  { version, operation, request }: Exchange,
  status: number,
  lines: Readonly<Record<string, string>>,
  body: FileAnswer["body"],
): void {
  if (version === undefined || operation === undefined || status !== 200 || typeof body !== "string") return;
  pages?.keep(request.url, { version, operation, lines, body });
}

function addressesOf({ publicUrl, areas: [own] }: ServiceOptions, host: string): Addresses {
  if (publicUrl !== undefined) return { origin: new URL(publicUrl).origin, base: publicUrl };
  return { origin: `http://${host}`, base: `http://${host}${own.path}` };
}
