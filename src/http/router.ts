import { RegExpRouter } from "hono/router/reg-exp-router";
import { ranksAboveJson } from "./accept.ts";
import { CORS_HEADERS, securityHeadersFor } from "./browser-headers.ts";
import type { RouteGroup } from "./call.ts";
import { announceDeprecation } from "./deprecation.ts";
import { type Route, routesOf } from "./endpoint.ts";
import { handleRequest } from "./pipeline.ts";
import type { RequestContext } from "./request-context.ts";
import { type KeptLines, keepLines, type Responding } from "./response.ts";
import { notFoundPage, type StaticPage, servePage, trailingSlashPage } from "./static/page.ts";

export interface RouterOptions {
  /** The base address for clients; left out, made from the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** Groups of endpoints. The first is the service's own: its path ends the base address, and it handles unknown paths. */
  readonly routeGroups: readonly [RouteGroup, ...RouteGroup[]];
  readonly pages: readonly StaticPage[];
}

interface Target {
  readonly keptLines: KeptLines;
  handle(context: RequestContext): Responding;
  /** Adds the operation's header lines, with relative links, to the refusal of a request without a usable `Host`. */
  announce?(context: RequestContext): void;
}

/** Creates a function that finds the target of a request's path; literal paths take precedence over parameters. */
export function createRouter({ publicUrl, routeGroups, pages }: RouterOptions) {
  const [own, ...others] = routeGroups;
  const sameOrigin = securityHeadersFor(publicUrl);
  const anyOrigin = { ...CORS_HEADERS, ...sameOrigin };

  function targetOf({ path, pipeline }: RouteGroup, route?: Route): Target {
    return {
      keptLines: keepLines(pipeline.authenticator.allowsAnyOrigin ? anyOrigin : sameOrigin),
      handle(context) {
        if (path !== own.path) context.addresses = addressesBelow(context, path);
        const endpoint = route?.endpoints.get(context.method);
        return handleRequest(Object.assign(context, { pipeline, route, endpoint }));
      },
      announce(context) {
        context.addresses = addressesBelow(context, path);
        announceDeprecation(context, route?.endpoints.get(context.method)?.operation);
      },
    };
  }

  const exact = new Map<string, Target>();
  /** Targets of paths that end in their only parameter, by the path before it. */
  const byParent = new Map<string, { readonly target: Target; readonly parameter: string }>();
  const patterns = new RegExpRouter<Target>();
  function add(path: string, target: Target) {
    const [, parent, parameter] = /^([^:*]+):(\w+)$/.exec(path) ?? [];
    if (parent !== undefined && parameter !== undefined) byParent.set(parent, { target, parameter });
    else if (/[:*]/.test(path)) patterns.add(ANY_METHOD, path, target);
    else if (!exact.has(path)) exact.set(path, target);
  }

  const slashPages = pages.filter(({ path }) => path !== "/").map(trailingSlashPage);
  for (const page of [...pages, ...slashPages]) {
    add(page.path, { keptLines: keepLines(anyOrigin), handle: (context) => servePage(page, context) });
  }
  for (const group of routeGroups) {
    for (const route of routesOf(group.endpoints)) {
      add(group.path + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), targetOf(group, route));
    }
  }
  for (const group of others) add(`${group.path}/*`, targetOf(group));
  const unmatched = targetOf(own);
  const unmatchedPage = notFoundTarget(unmatched);

  return (context: RequestContext): Target => {
    const { path } = context;
    const literal = exact.get(path);
    if (literal !== undefined) return literal;
    const end = path.lastIndexOf("/") + 1;
    const child = end < path.length ? byParent.get(path.slice(0, end)) : undefined;
    if (child !== undefined) {
      context.pathTexts = { [child.parameter]: path.slice(end) };
      return child.target;
    }
    const [[found], texts] = patterns.match(ANY_METHOD, path);
    if (found === undefined) return `${path}/`.startsWith(`${own.path}/`) ? unmatched : unmatchedPage;
    const [target, indices] = found;
    const entries = Object.entries(indices).map(([name, at]) => [name, texts?.[Number(at)] ?? ""]);
    context.pathTexts = Object.fromEntries(entries);
    return target;
  };
}

/** Handler of an unknown path: the 404 page for a browser, and `refusal` for a program. */
function notFoundTarget(refusal: Target): Target {
  return {
    ...refusal,
    handle: (context) =>
      context.method === "GET" && ranksAboveJson(context.request.headers.get("accept"), "text/html")
        ? notFoundPage()
        : refusal.handle(context),
  };
}

/** Method that `RegExpRouter` matches with any other. */
const ANY_METHOD = "ALL";

function addressesBelow({ addresses: { origin } }: RequestContext, path: string) {
  return { origin, base: origin + path };
}
