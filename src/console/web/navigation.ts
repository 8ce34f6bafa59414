import type { ReadonlySignal } from "@preact/signals";
import { isOwner, mayChange } from "./account/session.ts";
import type { IconName } from "./components/icon.tsx";
import { isStaging, REHEARSAL } from "./environment.ts";

interface Place {
  readonly href: string;
  readonly label: string;
  /**
   * The icon of a page in the navigation. A page without an icon is not in the navigation; people open it from a different page.
   */
  readonly icon?: IconName;
  /** The address of the page on which this page is shown as a tab. */
  readonly group?: string;
  /** True if the person may open the page. If left out, everybody may open the page. */
  readonly isFor?: ReadonlySignal<boolean>;
}

const DEVELOPERS = "/developers";

const PLACES: readonly Place[] = [
  { href: "/", label: "Overview", icon: "overview" },
  { href: "/activity", label: "Activity", group: "/" },
  { href: "/animals", label: "Animals", icon: "pets" },
  { href: "/animals/new", label: "Add an animal", isFor: mayChange },
  { href: "/animals/import", label: "Import animals", isFor: mayChange },
  { href: "/orders", label: "Orders", icon: "orders" },
  { href: "/categories", label: "Categories", icon: "categories" },
  { href: "/people", label: "People", icon: "people", isFor: isOwner },
  { href: "/audit", label: "Audit log", group: "/people", isFor: isOwner },
  { href: DEVELOPERS, label: "Developers", icon: "developers" },
  { href: "/keys", label: "API keys", group: DEVELOPERS },
  { href: "/webhooks", label: "Webhooks", group: DEVELOPERS, isFor: isOwner },
  { href: "/messages", label: "Messages", group: DEVELOPERS },
  { href: "/deprecated-calls", label: "Deprecated calls", group: DEVELOPERS },
  { href: "/docs", label: "API reference", group: DEVELOPERS },
  { href: "/account", label: "Account" },
  ...(isStaging ? [{ href: REHEARSAL, label: "Rehearsal", isFor: mayChange }] : []),
];

/** Returns all pages that the person may open, except pages that show a single record. */
export function ownPages(): readonly Place[] {
  return PLACES.filter(({ isFor }) => isFor?.value ?? true);
}

const isAt = (path: string) => (place: Place) =>
  path === place.href || (place.href !== "/" && path.startsWith(`${place.href}/`));

/**
 * Returns a signal that says whether the person may open the page at an address. For `/animals/7`, it is the signal of
 * `/animals`. Undefined if everybody may open the page.
 */
export function accessTo(path: string): Place["isFor"] {
  return PLACES.findLast(isAt(path))?.isFor;
}

/**
 * Returns the address of the page that the navigation marks as current while `path` is open. For a tab, this is the page with the
 * tabs; for a page such as `/animals/7`, it is `/animals`.
 */
export function destinationOf(path: string): string {
  const place = PLACES.find(isAt(path));
  return place?.group ?? place?.href ?? path;
}

/** Returns the pages to show as tabs at an address, or an empty list if the page has no tabs. */
export function tabsOf(path: string): readonly Place[] {
  const destination = destinationOf(path);
  const pages = ownPages().filter(({ href, group }) => href === destination || group === destination);
  return pages.length > 1 ? pages : [];
}
