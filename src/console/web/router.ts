import { signal } from "@preact/signals";
import { tabStorage } from "./storage.ts";

/** Maximum time, in milliseconds, to wait until a page is tall enough to restore its scroll position. */
const RESTORE_MS = 5_000;
const GESTURES = ["wheel", "touchstart", "pointerdown", "keydown", "popstate"] as const;
const KEPT = "scrolls";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The number of navigations that have moved the focus to a page's heading. It is 0 after a page load. */
  readonly navigations: number;
  /** True after Back or Forward. The page is then shown as the person left it. */
  readonly isReturn: boolean;
  /** Scrolls to the top of the page or, after Back or Forward, to its last scroll position. Called when the page is shown. */
  readonly scroll: () => void;
}

interface NavigateOptions {
  /** True if the new address replaces the current history entry, so that Back skips the current page. */
  readonly replace?: boolean;
  /** True if the focus stays where it is, because the person is using a filter. */
  readonly keepFocus?: boolean;
}

interface Entry {
  readonly number: number;
  /** The address of the page that the person came from. */
  readonly from?: string;
}

export const route = signal<Route>(readRoute());

// History entries are numbered from the time of the page load, so that their numbers differ from those assigned before a reload.
let entries = performance.timeOrigin;
let entry: Entry = history.state ?? { number: entries };

export function navigate(
  address: string,
  { replace = false, keepFocus = false }: NavigateOptions = {},
): void {
  if (replace) history.replaceState(entry, "", address);
  else {
    noteScroll();
    entry = { number: ++entries, from: withQuery() };
    history.pushState(entry, "", address);
  }
  const { navigations } = route.value;
  route.value = keepFocus ? readRoute(navigations) : readRoute(navigations + 1, () => scrollTo(0, 0));
}

/** Returns the current address with the given query parameters. An empty value removes a parameter. */
export function withQuery(changes: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  return search === "" ? route.value.path : `${route.value.path}?${search}`;
}

/** Handles plain clicks on links within the console, and the browser's Back and Forward buttons. */
export function startRouter(): void {
  history.replaceState(entry, "");
  restoreScroll();
  keepScrolls();
  addEventListener("popstate", ({ state }) => {
    // A link to a fragment of this page, such as "Skip to content", also fires popstate.
    const { path, query } = readRoute();
    const isSame = path === route.value.path && `${query}` === `${route.value.query}`;
    if (!isSame || location.hash === "") returnTo(state);
  });
  document.addEventListener("click", followLink);
}

function returnTo(state: Entry | null) {
  const left = withQuery();
  noteScroll();
  // Only this file writes history states. If the person has typed an address into the address bar, its entry has no state yet.
  entry = state ?? { number: ++entries };
  route.value = readRoute(route.value.navigations + 1, () => restoreScroll(left), true);
}

function followLink(event: MouseEvent) {
  const isForNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || isForNewTab) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.origin !== location.origin) return;
  if (link.hash !== "" || /^\/(docs|openapi\.json)/.test(link.pathname)) return;
  event.preventDefault();
  // If the person came to this page from a list, the page's link to that list acts like Back, so that the list looks as the
  // person left it.
  if (link.rel === "up" && entry.from?.split("?")[0] === link.pathname) return history.back();
  // A click on a link that filters the current list does not move the focus.
  const keepFocus = link.matches(".tabs a") && link.pathname === route.value.path;
  navigate(link.pathname + link.search, { keepFocus });
}

function readRoute(navigations = 0, scroll = () => {}, isReturn = false): Route {
  const query = new URLSearchParams(location.search);
  return { path: location.pathname, query, navigations, isReturn, scroll };
}

// This module stores the scroll position of each history entry itself, because the browser would restore it too early, before the
// content is loaded.

const scrolls = new Map<number, number>(JSON.parse(tabStorage.getItem(KEPT) ?? "[]"));
let restoring = new AbortController();

function noteScroll() {
  scrolls.set(entry.number, scrollY);
}

/**
 * Stores the scroll positions when the person leaves the page, so that they can be restored after a reload, or when the person
 * comes back from another site.
 */
function keepScrolls() {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    noteScroll();
    tabStorage.setItem(KEPT, JSON.stringify([...scrolls]));
  });
}

/**
 * Scrolls to the last position of a page as soon as the page is tall enough, unless the person scrolls first.
 *
 * @param left the address of the page that the person has come back from; the link to that page gets the focus
 */
function restoreScroll(left?: string) {
  restoring.abort();
  const top = scrolls.get(entry.number) ?? 0;
  if (top === 0 && left === undefined) return;
  restoring = new AbortController();
  const signal = AbortSignal.any([restoring.signal, AbortSignal.timeout(RESTORE_MS)]);
  const link = `main a[href="${CSS.escape(left ?? "")}"]`;
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight < top) return;
    scrollTo(0, top);
    if (left !== undefined) document.querySelector<HTMLElement>(link)?.focus({ preventScroll: true });
    if (document.querySelector("main :is(.loading, [aria-busy=true])") === null) restoring.abort();
  });
  signal.addEventListener("abort", () => observer.disconnect());
  observer.observe(document.body);
  for (const gesture of GESTURES) addEventListener(gesture, () => restoring.abort(), { once: true, signal });
}
