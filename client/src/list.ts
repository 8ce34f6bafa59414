import { PetstoreConnectionError } from "./errors.ts";
import { rememberTag } from "./etag.ts";
import { findLink } from "./link.ts";
import type { CallOptions } from "./options.ts";
import { requestOperation } from "./request.ts";
import type { Settings } from "./settings.ts";

/** A list, newest first. Pages are requested as the iteration reaches them. Each iteration starts from the beginning. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The items of the list, page by page. */
  pages(): AsyncIterable<readonly Item[]>;
  /** The first `limit` items, from as many pages as necessary; `Infinity` for all. */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}

interface ListKind {
  /** True if even the last page has a next one: an empty page is the end. */
  readonly growsAtEnd?: boolean;
}

/** Creates a list that requests its pages from an address; without an address, an empty list. */
export function listAt<Item>(
  settings: Settings,
  address: () => string | undefined,
  call: CallOptions | undefined,
  kind: ListKind = {},
): List<Item> {
  const pages = () => readPages<Item>(settings, address(), call, kind);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
    toArray: async ({ limit }) => firstItems(pages, limit),
  };
}

async function firstItems<Item>(pages: () => AsyncIterable<readonly Item[]>, limit: number): Promise<Item[]> {
  if (limit !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(limit) && limit > 0))
    throw new TypeError("toArray takes a limit of at least 1, or Infinity for all items.");
  const items: Item[] = [];
  for await (const page of pages()) {
    items.push(...page.slice(0, limit - items.length));
    if (items.length >= limit) break;
  }
  return items;
}

/** Pattern of a page's address with a single `id`: the page has the `ETag` of its item. */
export const ONE_ITEM = /\?id=-?[0-9]+$/;

async function* readPages<Item>(
  settings: Settings,
  first: string | undefined,
  call: CallOptions | undefined,
  { growsAtEnd = false }: ListKind,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let address = first; address !== undefined; ) {
    const request = { method: "GET", address, expects: "list" } as const;
    const { value, link, etag } = await requestOperation(settings, request, call);
    const items = value as readonly Item[];
    if (growsAtEnd && items.length === 0) return;
    if (ONE_ITEM.test(address)) rememberTag(items[0], etag);
    yield items;
    address = nextAddress(address, link);
  }
}

/**
 * Address of the next page: this page's with the query of the `Link`. The link's own address may be one that only the
 * service can reach, behind a proxy, and the key is sent to no other origin.
 *
 * @throws PetstoreConnectionError for a link to the page itself, which would never end
 */
function nextAddress(address: string, link: string | null): string | undefined {
  const target = link === null ? undefined : findLink(link, "next");
  if (target === undefined) return undefined;
  const next = new URL(address);
  next.search = new URL(target, address).search;
  if (next.search !== new URL(address).search) return next.href;
  throw new PetstoreConnectionError(
    `GET ${address} names itself as the next page: check the proxy in front of petstore.`,
    { address, outcomeUnknown: false },
  );
}
