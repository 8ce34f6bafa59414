import { PetstoreConnectionError } from "./errors.ts";
import { rememberTag } from "./etag.ts";
import { findLink } from "./link.ts";
import type { CallOptions } from "./options.ts";
import { checkAndCall } from "./request.ts";
import type { Settings } from "./settings.ts";

/** A page of a list: an array of its items. `for await` yields these items, and then the items of all later pages. */
export interface Page<Item> extends ReadonlyArray<Item>, AsyncIterable<Item> {
  /** Requests the next page. Resolves to undefined after the last page. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A list, newest first. `await` requests its first page, which has 20 items unless you set a `limit`. An async function that
 * returns a list also resolves to the first page. `for await` yields all items from the beginning. It requests the next page only
 * when you have used all items of the current page; each page has 100 items unless you set a `limit`.
 */
export interface List<Item> extends AsyncIterable<Item>, PromiseLike<Page<Item>> {
  /** Yields the list page by page. */
  pages(): AsyncIterable<Page<Item>>;
  /** Reads the first `limit` items, from as many pages as necessary. With `Infinity`, it reads all items. */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}

interface ListKind {
  /** True if even the newest page links to a next page, as with `order=asc`. The list then ends with an empty page. */
  readonly growsAtEnd?: boolean;
}

/** @param wanted the number of items that the caller still needs, which limits the size of the next page */
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

  /** Reads the first page. If neither `wanted` nor the address limits the number of items, the service chooses the number. */
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

/**
 * Adds the methods of a page to the array that was received. The methods are not enumerable, so that logs and JSON contain only
 * the items.
 */
function createPage<Item>(items: readonly Item[], next: ReadNext<Item>): CountedPage<Item> {
  async function* itemsFromHere() {
    // `values()` is used, because iterating over the page itself would call this function again.
    for (let page: Page<Item> | undefined = created; page !== undefined; page = await page.next())
      yield* page.values();
  }
  const members = { next: { value: next }, [Symbol.asyncIterator]: { value: itemsFromHere } };
  const created = Object.defineProperties(items, members) as CountedPage<Item>;
  return created;
}

/** Matches an address that requests a single item by its `id`. The `ETag` of the response is then the `ETag` of the item. */
export const ONE_ITEM = /\?id=-?[0-9]+$/;

/**
 * Adds the largest page size to an address that has no page size. An address with identifiers is not changed, because its result
 * is always a single page.
 */
function withLimit(address: string): string {
  return /[?&](?:id|limit)=/.test(address)
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}limit=${PAGE_ITEMS}`;
}

/** Lowers the page size in an address to the number of items that the caller still needs. */
function lowerLimit(address: string, wanted: number): string {
  return address.replace(/(?<=[?&]limit=)[0-9]+/, (limit) => String(Math.min(Number(limit), wanted)));
}

/**
 * Returns the address of the next page: the address of the current page with the query from the `Link` header. The rest of the
 * link is not used, because its host may be unreachable if there is a proxy, and because the key must not be sent to another
 * origin.
 *
 * @throws PetstoreConnectionError if the link leads to the same page, because the list would then never end
 */
function nextAddress(address: string, link: string | null): string | undefined {
  const target = link === null ? undefined : findLink(link, "next");
  if (target === undefined) return undefined;
  const next = new URL(address);
  next.search = new URL(target, address).search;
  if (next.search !== new URL(address).search) return next.href;
  throw new PetstoreConnectionError(
    `The response to GET ${address} gives that same address as the next page, so the list would never end. Check the proxy in front of petstore.`,
    { address, outcomeUnknown: false },
  );
}
