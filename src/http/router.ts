import { RegExpRouter } from "hono/router/reg-exp-router";
import { ranksAboveJson } from "./accept.ts";
import { CORS_HEADERS, securityHeadersFor } from "./browser-headers.ts";
import type { Call, RouteGroup } from "./call.ts";
import { announceDeprecation } from "./deprecation.ts";
import { type Route, routesOf } from "./endpoint.ts";
import { handleRequest } from "./pipeline.ts";
import { type KeptLines, keepLines, type Responding } from "./response.ts";
import { notFoundPage, type StaticPage, servePage, trailingSlashPage } from "./static/page.ts";

export interface RouterOptions {
  /** The base address that clients use. If left out, it is made from the `Host` header of each request. */
  readonly publicUrl?: string | undefined;
  /**
   * Groups of endpoints. The first group is the main one: its path is part of the service's base address, and it also handles
   * unknown paths.
   */
  readonly routeGroups: readonly [RouteGroup, ...RouteGroup[]];
  readonly pages: readonly StaticPage[];
}

export interface Target {
  readonly keptLines: KeptLines;
  /** Names of the path's parameters, in the order of their appearance. */
  readonly parameters: readonly string[];
  handle(call: Call): Responding;
  /**
   * Adds the operation's headers to a response that refuses a request because its `Host` is unusable. Links in these headers are
   * relative.
   */
  announce?(call: Call): void;
}

/** Creates a function that finds the target of a request by its path. A literal path takes precedence over one with parameters. */
export function createRouter({ publicUrl, routeGroups, pages }: RouterOptions) {
  const [own, ...others] = routeGroups;
  const sameOrigin = securityHeadersFor(publicUrl);
  const anyOrigin = { ...CORS_HEADERS, ...sameOrigin };

  function targetOf({ path, pipeline }: RouteGroup, route?: Route): Target {
    return {
      keptLines: keepLines(pipeline.authenticator.allowsAnyOrigin ? anyOrigin : sameOrigin),
      parameters: route?.parameters.map(([name]) => name) ?? [],
      handle(call) {
        if (path !== own.path) call.addresses = addressesBelow(call, path);
        call.pipeline = pipeline;
        call.route = route;
        call.endpoint = route?.endpoints.get(call.method);
        return handleRequest(call);
      },
      announce(call) {
        call.addresses = addressesBelow(call, path);
        announceDeprecation(call, route?.endpoints.get(call.method)?.operation);
      },
    };
  }

  const exact = new Map<string, Target>();
  /** The pages and routes whose paths have a parameter only as their last segment, keyed by the rest of the path. */
  const byParent = new Map<string, Target>();
  const patterns = new RegExpRouter<Target>();
  function add(path: string, target: Target) {
    const [, parent] = /^([^:*]+):\w+$/.exec(path) ?? [];
    if (parent !== undefined) byParent.set(parent, target);
    else if (/[:*]/.test(path)) patterns.add(ANY_METHOD, path, target);
    else if (!exact.has(path)) exact.set(path, target);
  }

  const slashPages = pages.filter(({ path }) => path !== "/").map(trailingSlashPage);
  for (const page of [...pages, ...slashPages]) {
    const handle = (call: Call) => servePage(page, call);
    add(page.path, { keptLines: keepLines(anyOrigin), parameters: [], handle });
  }
  for (const group of routeGroups) {
    for (const route of routesOf(group.endpoints)) {
      add(group.path + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), targetOf(group, route));
    }
  }
  for (const group of others) add(`${group.path}/*`, targetOf(group));
  const unmatched = targetOf(own);
  const unmatchedPage = notFoundTarget(unmatched);

  return (call: Call): Target => {
    const { path } = call;
    const literal = exact.get(path);
    if (literal !== undefined) return literal;
    const end = path.lastIndexOf("/") + 1;
    const child = end < path.length ? byParent.get(path.slice(0, end)) : undefined;
    if (child !== undefined) {
      call.pathTexts = [path.slice(end)];
      return child;
    }
    const [[found], texts] = patterns.match(ANY_METHOD, path);
    if (found === undefined) return `${path}/`.startsWith(`${own.path}/`) ? unmatched : unmatchedPage;
    const [target, indices] = found;
    call.pathTexts = target.parameters.map((name) => texts?.[Number(indices[name])] ?? "");
    return target;
  };
}

/**
 * Creates the target for unknown paths. Browsers get the 404 page, and programs get the error response that `refusal` creates.
 */
function notFoundTarget(refusal: Target): Target {
  return {
    ...refusal,
    handle: (call) =>
      call.method === "GET" && ranksAboveJson(call.request.headers.get("accept"), "text/html")
        ? notFoundPage()
        : refusal.handle(call),
  };
}

/** Method name that `RegExpRouter` matches with every method. */
const ANY_METHOD = "ALL";

function addressesBelow({ addresses: { origin } }: Call, path: string) {
  return { origin, base: origin + path };
}
