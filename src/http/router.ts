import { RegExpRouter } from "hono/router/reg-exp-router";
import { ranksAboveJson } from "./accept.ts";
import { CORS_HEADERS, securityHeadersFor } from "./browser-headers.ts";
import type { RouteGroup } from "./call.ts";
import { announceDeprecation } from "./deprecation.ts";
import { type Route, routesOf } from "./endpoint.ts";
import { decodePercent, type PathTexts } from "./parameters.ts";
import { handleRequest } from "./pipeline.ts";
import type { RequestContext } from "./request-context.ts";
import type { Responding } from "./response.ts";
import { notFoundPage, type StaticPage, servePage, trailingSlashPage } from "./static/page.ts";

export interface RouterOptions {
  /** The base address for clients; left out, made from the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** Groups of endpoints. The first is the service's own: its path ends the base address, and it handles unknown paths. */
  readonly routeGroups: readonly [RouteGroup, ...RouteGroup[]];
  readonly pages: readonly StaticPage[];
}

interface Target {
  readonly headers: Headers;
  handle(context: RequestContext, pathTexts: PathTexts): Responding;
  /** Adds the operation's header lines, with relative links, to the refusal of a request without a usable `Host`. */
  announce?(context: RequestContext): void;
}

interface Match {
  readonly target: Target;
  readonly pathTexts: PathTexts;
}

/** Creates a function that finds the handler of a path; literal paths take precedence over parameters. */
export function createRouter({ publicUrl, routeGroups, pages }: RouterOptions): (path: string) => Match {
  const [own, ...others] = routeGroups;
  const securityHeaders = securityHeadersFor(publicUrl);
  const sameOrigin = new Headers(securityHeaders);
  const anyOrigin = new Headers({ ...CORS_HEADERS, ...securityHeaders });

  function targetOf({ path, pipeline }: RouteGroup, route?: Route): Target {
    return {
      headers: pipeline.authenticator.allowsAnyOrigin ? anyOrigin : sameOrigin,
      handle(context, pathTexts) {
        if (path !== own.path) context.addresses = addressesBelow(context, path);
        const endpoint = route?.endpoints.get(context.method);
        return handleRequest({ pipeline, context, route, endpoint, pathTexts });
      },
      announce(context) {
        context.addresses = addressesBelow(context, path);
        announceDeprecation(context, route?.endpoints.get(context.method)?.operation);
      },
    };
  }

  const exact = new Map<string, Match>();
  const patterns = new RegExpRouter<Target>();
  function add(path: string, target: Target) {
    if (/[:*]/.test(path)) patterns.add(ANY_METHOD, path, target);
    else if (!exact.has(path)) exact.set(path, { target, pathTexts: {} });
  }

  const slashPages = pages.filter(({ path }) => path !== "/").map(trailingSlashPage);
  for (const page of [...pages, ...slashPages]) {
    add(page.path, { headers: anyOrigin, handle: (context) => servePage(page, context) });
  }
  for (const group of routeGroups) {
    for (const route of routesOf(group.endpoints)) {
      add(group.path + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), targetOf(group, route));
    }
  }
  for (const group of others) add(`${group.path}/*`, targetOf(group));
  const unmatched: Match = { target: targetOf(own), pathTexts: {} };
  const unmatchedPage: Match = { target: notFoundTarget(unmatched.target), pathTexts: {} };

  return (path) => {
    const match = exact.get(path);
    if (match !== undefined) return match;
    const [[found], texts] = patterns.match(ANY_METHOD, path);
    if (found === undefined) return `${path}/`.startsWith(`${own.path}/`) ? unmatched : unmatchedPage;
    const [target, indices] = found;
    return { target, pathTexts: textsAt(indices, texts ?? []) };
  };
}

/** Values of a path's parameters by name, decoded. A value that cannot be decoded stays as it is, and is no identifier. */
function textsAt(indices: Readonly<Record<string, number | string>>, texts: readonly string[]): PathTexts {
  const pathTexts: Record<string, string> = {};
  for (const name in indices) {
    const text = texts[Number(indices[name])] ?? "";
    pathTexts[name] = decodePercent(text) ?? text;
  }
  return pathTexts;
}

/** Handler of an unknown path: the 404 page for a browser, and `refusal` for a program. */
function notFoundTarget(refusal: Target): Target {
  return {
    headers: refusal.headers,
    handle: (context, pathTexts) =>
      context.method === "GET" && ranksAboveJson(context.request.headers.get("accept"), "text/html")
        ? notFoundPage()
        : refusal.handle(context, pathTexts),
  };
}

/** Method that `RegExpRouter` matches with any other. */
const ANY_METHOD = "ALL";

function addressesBelow({ addresses: { origin } }: RequestContext, path: string) {
  return { origin, base: origin + path };
}
