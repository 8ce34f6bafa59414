import { capitalized } from "../format.ts";
import { navigate, withQuery } from "../router.ts";
import { Tabs } from "./tabs.tsx";

interface FilterTabsProps {
  readonly label: string;
  /** Query parameter of the address that holds the choice: it can be bookmarked, and Back undoes it. */
  readonly name?: string;
  /** Values to choose from. The first one is meant if the address does not have the parameter. */
  readonly choices: readonly string[];
}

/** Tabs that filter a list. */
export function FilterTabs({ label, name = "status", choices }: FilterTabsProps) {
  const tabs = choices.map((value, index) => ({
    href: withQuery({ [name]: index === 0 ? "" : value, cursor: "" }),
    label: capitalized(value),
  }));
  return <Tabs label={label} tabs={tabs} />;
}

export function filterBy(changes: Readonly<Record<string, string>>): void {
  navigate(withQuery({ ...changes, cursor: "" }), { keepFocus: true });
}
