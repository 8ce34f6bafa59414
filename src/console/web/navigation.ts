import { role } from "./account/session.ts";
import type { IconName } from "./components/icon.tsx";
import { isStaging, REHEARSAL } from "./environment.ts";

type Role = NonNullable<typeof role.value>;

interface Place {
  readonly href: string;
  readonly label: string;
  /** Icon of a page in the navigation; other pages are reached from within one. */
  readonly icon?: IconName;
  /** Address of the page whose tabs have this one, too. */
  readonly group?: string;
  /** Roles that may open the page; left out if every role may. */
  readonly roles?: readonly Role[];
}

const OWNERS: readonly Role[] = ["owner"];
const STAFF: readonly Role[] = ["staff", "owner"];
const DEVELOPERS = "/developers";

const PLACES: readonly Place[] = [
  { href: "/", label: "Overview", icon: "overview" },
  { href: "/animals", label: "Animals", icon: "pets" },
  { href: "/animals/import", label: "Import animals", roles: STAFF },
  { href: "/orders", label: "Orders", icon: "orders" },
  { href: "/categories", label: "Categories", icon: "categories" },
  { href: "/people", label: "People", icon: "people", roles: OWNERS },
  { href: "/audit", label: "Audit list", group: "/people", roles: OWNERS },
  { href: DEVELOPERS, label: "Developers", icon: "developers" },
  { href: "/keys", label: "API keys", group: DEVELOPERS },
  { href: "/webhooks", label: "Webhooks", group: DEVELOPERS, roles: OWNERS },
  { href: "/messages", label: "Messages", group: DEVELOPERS },
  { href: "/deprecated-calls", label: "Deprecated calls", group: DEVELOPERS },
  { href: "/docs", label: "API reference", group: DEVELOPERS },
  { href: "/account", label: "Account" },
  ...(isStaging ? [{ href: REHEARSAL, label: "Rehearsal", roles: STAFF }] : []),
];

/** Every page that a person of this role may open, except those of one record. */
export function pagesFor(who: Role | undefined): readonly Place[] {
  return PLACES.filter(({ roles }) => roles === undefined || (who !== undefined && roles.includes(who)));
}

/** Address of the page in the navigation that an address belongs to. */
export function destinationOf(path: string): string {
  const place = PLACES.find(({ href }) => path === href || (href !== "/" && path.startsWith(`${href}/`)));
  return place?.group ?? place?.href ?? path;
}

/** Pages among which the tabs of an address switch; empty for a page without tabs. */
export function tabsOf(path: string): readonly Place[] {
  const destination = destinationOf(path);
  const pages = pagesFor(role.value).filter(
    ({ href, group }) => href === destination || group === destination,
  );
  return pages.length > 1 ? pages : [];
}
