import { ServiceError } from "../../errors.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "../cors.ts";
import { allowLine } from "../endpoint.ts";
import type { RequestAddresses, RequestContext } from "../request-context.ts";
import type { FileResponseData } from "../response.ts";

/** A public page. `:name` in its path matches one segment. */
export interface StaticPage {
  readonly path: string;
  respond(addresses: RequestAddresses, context: RequestContext): Promise<FileResponseData>;
}

const PAGE_ALLOW = allowLine(["GET"]);

export async function servePage(page: StaticPage, context: RequestContext): Promise<FileResponseData> {
  const { method, request, path, addresses } = context;
  if (isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method === "GET") return page.respond(addresses, context);
  if (method === "OPTIONS") return { status: 204, headers: { Allow: PAGE_ALLOW }, body: null };
  throw new ServiceError("method_not_allowed", `${request.method} is not allowed on ${path}.`, {
    headers: { Allow: PAGE_ALLOW },
  });
}

/** A trailing slash too many leads to the page without it. */
export function trailingSlashPage({ path }: StaticPage): StaticPage {
  async function respond(
    _addresses: RequestAddresses,
    { request }: RequestContext,
  ): Promise<FileResponseData> {
    // Encoded as the client sent it, and never with another host: the path is one of the pages'.
    const { pathname, search } = new URL(request.url);
    const headers = { Location: (pathname.slice(0, -1) || "/") + search, "Cache-Control": "no-cache" };
    return { status: 308, headers, body: null };
  }
  return { path: `${path}/`, respond };
}
