import { ServiceError } from "../../errors.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "../cors.ts";
import { allowLine } from "../endpoint.ts";
import type { Addresses, RequestContext } from "../request-context.ts";
import type { FileResponseData } from "../response.ts";

/** A path that is open to everyone; `:name` in it stands for any one segment. */
export interface StaticPage {
  readonly path: string;
  respond(addresses: Addresses, exchange: RequestContext): Promise<FileResponseData>;
}

const PAGE_ALLOW = allowLine(["GET"]);

export async function servePage(
  page: StaticPage,
  exchange: RequestContext,
  addresses: Addresses,
): Promise<FileResponseData> {
  const { method, request, path } = exchange;
  if (isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method === "GET") return page.respond(addresses, exchange);
  if (method === "OPTIONS") return { status: 204, headers: { Allow: PAGE_ALLOW }, body: null };
  throw new ServiceError("method_not_allowed", `${request.method} is not allowed on ${path}.`, {
    headers: { Allow: PAGE_ALLOW },
  });
}
