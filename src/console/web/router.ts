import { signal } from "@preact/signals";

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Grows with each change that leads to a heading, so that pages know when to move the focus there. */
  readonly arrival: number;
}

interface NavigateOptions {
  /** Puts the new address in the place of the current one, so that Back skips it. */
  readonly replace?: boolean;
  /** Leaves the focus where it is: a filter changed, and its control is still in use. */
  readonly keepFocus?: boolean;
}

export const place = signal<Place>(placeNow(0));

/** Goes to an address of this console without loading the page anew. */
export function navigate(
  address: string,
  { replace = false, keepFocus = false }: NavigateOptions = {},
): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  arrive(keepFocus);
  if (!keepFocus) scrollTo(0, 0);
}

/** The current address with some of its query changed; an empty value leaves it out. */
export function withQuery(changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  return search === "" ? place.value.path : `${place.value.path}?${search}`;
}

/** Follows plain clicks on links within the console, and the browser's Back and Forward. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    // A jump within the page, as "Skip to content" makes, leads nowhere new.
    const { path, query } = place.value;
    const isSame =
      path === location.pathname && query.toString() === new URLSearchParams(location.search).toString();
    if (!isSame || location.hash === "") arrive(false);
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

function arrive(keepFocus: boolean): void {
  place.value = placeNow(place.value.arrival + (keepFocus ? 0 : 1));
}

function placeNow(arrival: number): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search), arrival };
}
