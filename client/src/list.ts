import { PetstoreConnectionError } from "./errors.ts";
import { rememberTag } from "./etag.ts";
import { findLink } from "./link.ts";
import type { CallOptions } from "./options.ts";
import { checkAndCall } from "./request.ts";
import type { Settings } from "./settings.ts";

/** A page of a list: an array of its items. `for await` continues with the items of all later pages. */
export interface Page<Item> extends ReadonlyArray<Item>, AsyncIterable<Item> {
  /** Requests the next page; undefined after the last one. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A list, newest first. `await` requests its first page, with 20 items unless you give a `limit`; an async function that returns a
 * list also resolves to that page. `for await` yields all items from the beginning. It requests a page when the items of the
 * previous one have been used, with 100 items a page unless you give a `limit`.
 */
export interface List<Item> extends AsyncIterable<Item>, PromiseLike<Page<Item>> {
  /** Yields the list page by page. */
  pages(): AsyncIterable<Page<Item>>;
  /** Reads the first `limit` items, from as many pages as necessary. `Infinity` reads all. */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}

interface ListKind {
  /** True if every page links to a next page, as with `order=asc`. The list then ends with an empty page. */
  readonly growsAtEnd?: boolean;
}

/** @param wanted maximum number of items that the next page needs */
type ReadNext<Item> = (wanted?: number) => Promise<CountedPage<Item> | undefined>;
interface CountedPage<Item> extends Page<Item> {
  readonly next: ReadNext<Item>;
}

/** The largest number of items that the service returns in a page. */
const PAGE_ITEMS = 100;

/** Creates a list whose pages are read from an address. Without an address, the list is empty, and nothing is requested. */
export function listAt<Item>(
  settings: Settings,
  first: () => string | undefined,
  call: CallOptions | undefined,
  { growsAtEnd = false }: ListKind = {},
): List<Item> {
  async function readPage(address: string): Promise<CountedPage<Item>> {
    const request = { method: "GET", address, expects: "list" } as const;
    const { value, link, etag } = await checkAndCall(settings, request, call);
    const items = value as readonly Item[];
    if (ONE_ITEM.test(address)) rememberTag(items[0], etag);
    const isEnd = growsAtEnd && items.length === 0;
    return createPage(items, async (wanted = Number.POSITIVE_INFINITY) => {
      const next = isEnd ? undefined : nextAddress(address, link);
      const page = next === undefined ? undefined : await readPage(lowerLimit(next, wanted));
      return growsAtEnd && page?.length === 0 ? undefined : page;
    });
  }

  /** Reads the first page. Without `wanted`, the service decides how many items the page has, unless the address has a limit. */
  async function readFirst(wanted?: number): Promise<CountedPage<Item>> {
    const address = first();
    if (address === undefined) return createPage<Item>([], async () => undefined);
    return readPage(wanted === undefined ? address : lowerLimit(withLimit(address), wanted));
  }

  async function* readPages(wanted: number): AsyncGenerator<Page<Item>, void, undefined> {
    let page: CountedPage<Item> | undefined = await readFirst(wanted);
    for (let left = wanted; page !== undefined; page = await page.next(left)) {
      left -= page.length;
      yield page;
      if (left <= 0) return;
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` on a list requests its first page
    then: (onPage, onError) => readFirst().then(onPage, onError),
    pages: () => readPages(Number.POSITIVE_INFINITY),
    async *[Symbol.asyncIterator]() {
      yield* await readFirst(Number.POSITIVE_INFINITY);
    },
    async toArray(options) {
      const limit = options?.limit;
      if (limit !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(limit) && limit > 0))
        throw new TypeError("The limit of toArray must be at least 1, or Infinity for all items.");
      const items: Item[] = [];
      for await (const page of readPages(limit)) items.push(...page);
      return items.slice(0, limit);
    },
  };
}

/** Adds the methods of a page to a received array. The methods are not enumerable, so that logs and JSON show only the items. */
function createPage<Item>(items: readonly Item[], next: ReadNext<Item>): CountedPage<Item> {
  async function* itemsFromHere() {
    // `values()` yields the items. Iterating over the page itself would call this function again.
    for (let page: Page<Item> | undefined = created; page !== undefined; page = await page.next())
      yield* page.values();
  }
  const members = { next: { value: next }, [Symbol.asyncIterator]: { value: itemsFromHere } };
  const created = Object.defineProperties(items, members) as CountedPage<Item>;
  return created;
}

/** Matches the address of a page that is filtered by a single `id`. The `ETag` of such a page is the `ETag` of its only item. */
export const ONE_ITEM = /\?id=-?[0-9]+$/;

/**
 * Adds the largest page size to an address without one. An address with a list of identifiers is not changed, because its result is
 * a single page (see `ONE_ITEM`).
 */
function withLimit(address: string): string {
  return /[?&](?:id|limit)=/.test(address)
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}limit=${PAGE_ITEMS}`;
}

/** Lowers the page size in an address to the number of items that are still wanted. */
function lowerLimit(address: string, wanted: number): string {
  return address.replace(/(?<=[?&]limit=)[0-9]+/, (limit) => String(Math.min(Number(limit), wanted)));
}

/**
 * Returns the address of the next page, which is this page's address with the query of the `Link` header. The rest of the link is
 * ignored, because behind a proxy its host may be unreachable, and because the key must not go to another origin.
 *
 * @throws PetstoreConnectionError for a link to the page itself, because the list would never end
 */
function nextAddress(address: string, link: string | null): string | undefined {
  const target = link === null ? undefined : findLink(link, "next");
  if (target === undefined) return undefined;
  const next = new URL(address);
  next.search = new URL(target, address).search;
  if (next.search !== new URL(address).search) return next.href;
  throw new PetstoreConnectionError(
    `The response to GET ${address} gives this same address for the next page. Check the proxy in front of petstore.`,
    { address, outcomeUnknown: false },
  );
}
