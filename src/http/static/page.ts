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
