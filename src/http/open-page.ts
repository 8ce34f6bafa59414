import { ServiceError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { allowLine } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import type { Addresses } from "./pipeline.ts";

/** A path that is open to everyone. */
export interface OpenPage {
  readonly path: string;
  answer(addresses: Addresses): Promise<Answer>;
}

const PAGE_ALLOW = allowLine(["GET"]);

export async function answerPage(
  page: OpenPage,
  { method, request }: Exchange,
  addresses: Addresses,
): Promise<Answer> {
  if (isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  if (method === "GET") return page.answer(addresses);
  if (method === "OPTIONS") return { status: 204, headers: { Allow: PAGE_ALLOW }, body: null };
  throw new ServiceError("method_not_allowed", `${request.method} is not allowed on ${page.path}.`, {
    headers: { Allow: PAGE_ALLOW },
  });
}
