import { route } from "../router.ts";

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly count?: string | undefined;
}

/** Links to the pages of a group, or to the filters of a list. The current link is marked. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  // If several tabs match, the one with the longest address is marked, because the address of a filtered list begins with the
  // address of the whole list.
  const [current] = tabs.filter(isHere).sort((one, other) => other.href.length - one.href.length);
  return (
    <nav ref={showCurrent} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab === current ? "page" : undefined}>
          {tab.label}{" "}
          {tab.count !== undefined && (
            <span class="muted" translate={false}>
              {tab.count}
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** Scrolls a row of tabs that is wider than the screen, so that the current tab and the end of the previous tab are visible. */
function showCurrent(tabs: HTMLElement | null) {
  const current = tabs?.querySelector<HTMLElement>("[aria-current]");
  if (tabs && current) tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - 48;
}

/**
 * Returns true if the current page belongs to a tab: its path is the tab's path or below it, and its address has all query
 * parameters of the tab.
 */
function isHere({ href }: Tab): boolean {
  const { path, query } = route.value;
  const { pathname, searchParams } = new URL(href, location.origin);
  const isWithin = `${path}/`.startsWith(`${pathname}/`);
  return isWithin && [...searchParams].every(([name, value]) => query.get(name) === value);
}
