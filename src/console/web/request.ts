import { readJson } from "../../../client/src/read-json.ts";
import { writeJson } from "../../../client/src/write-json.ts";
import { RequestFailure, readFailure, unreachable } from "./failure.ts";

const BASE = "/console/api";
const ACCEPT = "application/problem+json, application/json;q=0.5";
/** Above the server's own deadlines, so that a slow answer is the server's to explain. */
const PATIENCE_MS = 30_000;

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Makes a repeated request safe: the server does the work once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A page of a list, and the cursor of the one after it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

let onSignedOut = (): void => undefined;

/** Tells who wants to know that the server no longer takes our session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * Calls the console's own API and reads the answer with every integer exact.
 *
 * The caller names the shape; the server's contract is what holds it.
 *
 * @throws RequestFailure for whatever is not a success
 */
export async function call<Answer>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const response = await send(method, path, options);
  return (await readAnswer(response)) as Answer;
}

/** `call` for a list that is read page by page (RFC 8288 `Link`). */
export async function callPage<Item>(path: string, options: RequestOptions = {}): Promise<Page<Item>> {
  const response = await send("GET", path, options);
  const items = (await readAnswer(response)) as readonly Item[];
  return { items, next: nextCursor(response.headers.get("Link")) };
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const response = await fetch(addressOf(path, options.query), {
    method,
    headers: headersFor(options),
    signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(options.signal ? [options.signal] : [])]),
    ...(options.body !== undefined && { body: writeJson(options.body) }),
  }).catch((error: unknown) => {
    throw options.signal?.aborted ? error : unreachable();
  });
  if (response.ok) return response;
  const failure = await readFailure(response, readJson);
  const isSignIn = method === "POST" && path === "/session";
  if (failure.status === 401 && !isSignIn) onSignedOut();
  throw failure;
}

function headersFor({ body, idempotencyKey }: RequestOptions): Record<string, string> {
  return {
    Accept: ACCEPT,
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
  };
}

function addressOf(path: string, query: RequestOptions["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  return search.size === 0 ? BASE + path : `${BASE}${path}?${search}`;
}

async function readAnswer(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === "" ? undefined : readJson(text);
  } catch {
    throw new RequestFailure("The server's answer broke off or could not be read.", { status: 0 });
  }
}

function nextCursor(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(link ?? "") ?? [];
  if (address === undefined) return undefined;
  return new URL(address, location.origin).searchParams.get("cursor") ?? undefined;
}
