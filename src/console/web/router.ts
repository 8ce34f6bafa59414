import { signal } from "@preact/signals";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Counts the navigations after which the focus moves to the page's heading. */
  readonly navigations: number;
}

interface NavigateOptions {
  /** Replaces the current history entry, so that Back skips it. */
  readonly replace?: boolean;
  /** Leaves the focus where it is: the filter's control is still in use. */
  readonly keepFocus?: boolean;
}

export const route = signal<Route>(readRoute(0));

/** Changes the address without loading the page again. */
export function navigate(
  address: string,
  { replace = false, keepFocus = false }: NavigateOptions = {},
): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  updateRoute(keepFocus);
  if (!keepFocus) scrollTo(0, 0);
}

/** The current address with these query parameters set; an empty value removes one. */
export function withQuery(changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  return search === "" ? route.value.path : `${route.value.path}?${search}`;
}

/** Follows plain clicks on links within the console, and the browser's Back and Forward. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    // A link to a fragment of this page, such as "Skip to content", also fires popstate.
    const { path, query } = route.value;
    const isSame =
      path === location.pathname && query.toString() === new URLSearchParams(location.search).toString();
    if (!isSame || location.hash === "") updateRoute(false);
  });
  document.addEventListener("click", followLink);
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || isForNewTab(event)) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.origin !== location.origin) return;
  if (link.hash !== "" || /^\/(docs|openapi\.json)/.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

function isForNewTab(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

function updateRoute(keepFocus: boolean): void {
  route.value = readRoute(route.value.navigations + (keepFocus ? 0 : 1));
}

function readRoute(navigations: number): Route {
  return { path: location.pathname, query: new URLSearchParams(location.search), navigations };
}
