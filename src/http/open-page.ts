import { ServiceError } from "../errors.ts";
import type { FileAnswer } from "./answer.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { allowLine } from "./endpoint.ts";
import type { Addresses, Exchange } from "./exchange.ts";

/** A path that is open to everyone; `:name` in it stands for any one segment. */
export interface OpenPage {
  readonly path: string;
  answer(addresses: Addresses, exchange: Exchange): Promise<FileAnswer>;
}

const PAGE_ALLOW = allowLine(["GET"]);

export async function answerPage(
  page: OpenPage,
  exchange: Exchange,
  addresses: Addresses,
): Promise<FileAnswer> {
  const { method, request, path } = exchange;
  if (isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method === "GET") return page.answer(addresses, exchange);
  if (method === "OPTIONS") return { status: 204, headers: { Allow: PAGE_ALLOW }, body: null };
  throw new ServiceError("method_not_allowed", `${request.method} is not allowed on ${path}.`, {
    headers: { Allow: PAGE_ALLOW },
  });
}
