import { Hono, type Context as HonoContext } from "hono";
import type { ServiceError } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { CORS_HEADERS } from "./cors.ts";
import { type Endpoint, type Route, routesOf } from "./endpoint.ts";
import { encodeError, refusalFor } from "./error-response.ts";
import { requireHost } from "./host.ts";
import { type Pipeline, travel } from "./pipeline.ts";
import { healthPage, readyPage } from "./probes.ts";
import type { Addresses, RequestContext } from "./request-context.ts";
import type { FileResponseData } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { securityHeadersFor } from "./security-headers.ts";
import { type StaticPage, servePage } from "./static/page.ts";

/** Endpoints below one path, and what every request for them goes through. */
export interface RouteGroup {
  /** `/v1`, `/console/api`, or nothing. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

export interface RouterOptions {
  readonly name: string;
  /** The base address that clients see; without one, the request's own `Host` tells. */
  readonly publicUrl?: string | undefined;
  /** The first is the service's own: its path ends the base address, and it answers for paths that nobody serves. */
  readonly routeGroups: readonly [RouteGroup, ...RouteGroup[]];
  readonly pages: readonly StaticPage[];
  readonly log: Logger;
}

type Env = { Bindings: RequestContext };

/** Who answers which path. */
export function createRouter(given: RouterOptions, isDraining: () => boolean): Hono<Env> {
  const options = { ...given, constantHeaders: constantHeadersFor(given.publicUrl) };
  const { routeGroups } = options;
  const [own] = routeGroups;
  const router = new Hono<Env>({ getPath: (_request, { env } = {}) => env?.path ?? "" });
  for (const page of [healthPage, readyPage(own.pipeline.database, isDraining), ...options.pages]) {
    router.all(page.path, (c) => respond(options, c, (addresses) => servePage(page, c.env, addresses)));
  }
  for (const area of routeGroups) {
    for (const route of routesOf(area.endpoints)) {
      const path = area.path + route.path.replaceAll(/\{(\w+)\}/g, ":$1");
      router.all(path, (c) => serveRoute(options, c, area, route));
    }
  }
  for (const area of routeGroups.slice(1)) router.all(`${area.path}/*`, (c) => serveRoute(options, c, area));
  router.notFound((c) => serveRoute(options, c, own));
  return router;
}

function serveRoute(
  options: RespondOptions,
  c: HonoContext<Env>,
  { path, pipeline }: RouteGroup,
  route?: Route,
): Promise<Response> {
  const [own] = options.routeGroups;
  const below = ({ origin, base }: Addresses) => ({ origin, base: path === own.path ? base : origin + path });
  return respond(
    options,
    c,
    (addresses) => travel(pipeline, c.env, below(addresses), route, c.req.param()),
    pipeline,
  );
}

/** Header lines that are the same for every answer: of a authenticator for pages from anywhere, and of one for its own alone. */
interface ConstantHeaders {
  readonly shared: Readonly<Record<string, string>>;
  readonly own: Readonly<Record<string, string>>;
}

function constantHeadersFor(publicUrl: string | undefined): ConstantHeaders {
  const own = securityHeadersFor(publicUrl);
  return { own, shared: { ...CORS_HEADERS, ...own } };
}

interface RespondOptions extends RouterOptions {
  readonly constantHeaders: ConstantHeaders;
}

/** Runs the steps, turns whatever they throw into an answer, and adds the lines that every answer carries. */
async function respond(
  options: RespondOptions,
  { env: exchange }: HonoContext<Env>,
  steps: (addresses: Addresses) => Promise<FileResponseData>,
  { authenticator, responseCache }: Partial<Pipeline> = {},
): Promise<Response> {
  let addresses: Addresses = { origin: "", base: "" };
  let answer: FileResponseData;
  try {
    addresses = addressesOf(options, requireHost(exchange));
    answer = await steps(addresses);
  } catch (error) {
    const refusal = refusalFor(error);
    logFault(options, exchange, error, refusal);
    answer = encodeError(refusal, exchange.request, addresses.origin);
  }
  const { shared, own } = options.constantHeaders;
  return toResponse(answer, exchange, (authenticator?.allowsAnyOrigin ?? true) ? shared : own, responseCache);
}

/** A refusal of ours without a cause, such as "about to stop", is no fault. */
function logFault(
  { log, name }: RouterOptions,
  { requestId }: RequestContext,
  error: unknown,
  refusal: ServiceError,
): void {
  if (refusal.status < 500 || (error === refusal && refusal.cause === undefined)) return;
  log.error({ requestId, service: name, err: refusal.cause ?? error }, "fault");
}

function toResponse(
  { status, headers, body }: FileResponseData,
  exchange: RequestContext,
  constant: Readonly<Record<string, string>>,
  responseCache: ResponseCache | undefined,
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
  } else keepPage(responseCache, exchange, status, lines, body);
  return new Response(body, { status, headers: lines });
}

function keepPage(
  responseCache: ResponseCache | undefined,
  { version, operation, request }: RequestContext,
  status: number,
  lines: Readonly<Record<string, string>>,
  body: FileResponseData["body"],
): void {
  if (version === undefined || operation === undefined || status !== 200 || typeof body !== "string") return;
  responseCache?.set(request.url, { version, operation, lines, body });
}

function addressesOf({ publicUrl, routeGroups: [own] }: RouterOptions, host: string): Addresses {
  if (publicUrl !== undefined) return { origin: new URL(publicUrl).origin, base: publicUrl };
  return { origin: `http://${host}`, base: `http://${host}${own.path}` };
}
