import { signal } from "@preact/signals";

/** Maximum wait for a page's content, in milliseconds, before its scroll position is no longer restored. */
const RESTORE_MS = 5_000;
const GESTURES = ["wheel", "touchstart", "pointerdown", "keydown", "popstate"] as const;
const KEPT = "scrolls";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Number of navigations that move the focus to the page's heading; 0 after a page load. */
  readonly navigations: number;
  /** True after Back or Forward: the page is shown as it was left. */
  readonly isReturn: boolean;
}

interface NavigateOptions {
  /** True to replace the current history entry, so that Back skips it. */
  readonly replace?: boolean;
  /** True to keep the focus, because a filter's control is in use. */
  readonly keepFocus?: boolean;
}

interface Entry {
  readonly number: number;
  /** Address of the previous page. */
  readonly from?: string;
}

export const route = signal<Route>(readRoute({ navigations: 0, isReturn: false }));

// Starts at the time of the load: entries from before a reload keep their numbers.
let entries = performance.timeOrigin;
let entry: Entry = history.state ?? { number: entries };

export function navigate(
  address: string,
  { replace = false, keepFocus = false }: NavigateOptions = {},
): void {
  if (replace) history.replaceState(entry, "", address);
  else {
    noteScroll(entry.number);
    entry = { number: ++entries, from: currentAddress() };
    history.pushState(entry, "", address);
  }
  updateRoute({ keepFocus, isReturn: false });
  if (!keepFocus) scrollTo(0, 0);
}

/** Goes to a page; if it is the previous one, back to it as it was left. */
function navigateBack(path: string) {
  if (entry.from?.split("?")[0] === path) history.back();
  else navigate(path);
}

/** The current address with these query parameters; an empty value removes one. */
export function withQuery(changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  return search === "" ? route.value.path : `${route.value.path}?${search}`;
}

/** Handles plain clicks on links within the console, and the browser's Back and Forward. */
export function startRouter(): void {
  history.replaceState(entry, "");
  restoreScroll(entry.number);
  keepScrolls(() => entry.number);
  addEventListener("popstate", ({ state }) => {
    // A link to a fragment of this page, such as "Skip to content", also fires popstate.
    const { path, query } = route.value;
    const isSame =
      path === location.pathname && query.toString() === new URLSearchParams(location.search).toString();
    if (!isSame || location.hash === "") returnTo(state);
  });
  document.addEventListener("click", followLink);
}

function returnTo(state: Entry | null) {
  const left = currentAddress();
  noteScroll(entry.number);
  // Only this file writes these states; an address typed into the address bar has none.
  entry = state ?? { number: ++entries };
  updateRoute({ keepFocus: false, isReturn: true });
  restoreScroll(entry.number, left);
}

function currentAddress(): string {
  const { path, query } = route.value;
  return query.size === 0 ? path : `${path}?${query}`;
}

function followLink(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0 || isForNewTab(event)) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.origin !== location.origin) return;
  if (link.hash !== "" || /^\/(docs|openapi\.json)/.test(link.pathname)) return;
  event.preventDefault();
  if (link.rel === "up") navigateBack(link.pathname);
  // The filters of a list keep the focus.
  else
    navigate(link.pathname + link.search, {
      keepFocus: link.matches(".tabs a") && link.pathname === route.value.path,
    });
}

function isForNewTab(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

function updateRoute({ keepFocus, isReturn }: { keepFocus: boolean; isReturn: boolean }) {
  route.value = readRoute({ navigations: route.value.navigations + (keepFocus ? 0 : 1), isReturn });
}

function readRoute(arrival: Pick<Route, "navigations" | "isReturn">): Route {
  return { path: location.pathname, query: new URLSearchParams(location.search), ...arrival };
}

// Scroll positions by history entry. The browser itself restores them before the content is loaded.

const scrolls = new Map<number, number>(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
let restoring = new AbortController();

function noteScroll(entry: number) {
  scrolls.set(entry, scrollY);
}

/** Stores scroll positions for a reload, and for a return from another site. */
function keepScrolls(currentEntry: () => number) {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    noteScroll(currentEntry());
    sessionStorage.setItem(KEPT, JSON.stringify([...scrolls]));
  });
}

/**
 * Scrolls to a page's last position as soon as it is tall enough. A gesture of the person cancels that.
 *
 * @param left address of the page that was open in between: the link to it gets the focus
 */
function restoreScroll(entry: number, left?: string) {
  restoring.abort();
  const top = scrolls.get(entry) ?? 0;
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
