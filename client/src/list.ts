import { PetstoreConnectionError } from "./errors.ts";
import { findLink } from "./link.ts";
import type { CallOptions } from "./options.ts";
import { perform } from "./request.ts";
import type { Settings } from "./settings.ts";

/** A list, newest first, which asks for its next page when somebody gets there. Each walk begins anew. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The same, a page at a time. */
  pages(): AsyncIterable<readonly Item[]>;
}

/** The list at an address, or an empty one where there is no address to ask. */
export function listAt<Item>(
  settings: Settings,
  address: () => string | undefined,
  call: CallOptions | undefined,
): List<Item> {
  const pages = () => readPages<Item>(settings, address(), call);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

async function* readPages<Item>(
  settings: Settings,
  first: string | undefined,
  call: CallOptions | undefined,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let address = first; address !== undefined; ) {
    const { value, link } = await perform(settings, { method: "GET", address, carries: "a list" }, call);
    yield value as readonly Item[];
    address = nextAddress(address, link);
  }
}

/**
 * The next page, asked for where this one was: behind a proxy, a link may name an address that only the service knows, and
 * the key goes to no other place than it was given for. What the link adds is its query.
 *
 * @throws PetstoreConnectionError where a list would end early or go round in circles
 */
function nextAddress(address: string, link: string | null): string | undefined {
  const target = link === null ? undefined : findLink(link, "next");
  if (target === undefined) return undefined;
  const next = new URL(address);
  next.search = new URL(target, address).search;
  if (next.search !== new URL(address).search) return next.href;
  throw new PetstoreConnectionError(`GET ${address} named itself as the next page.`, {
    address,
    outcomeUnknown: false,
  });
}
