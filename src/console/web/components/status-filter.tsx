import { navigate, withQuery } from "../router.ts";
import type { Choice } from "./field.tsx";
import { Tabs } from "./tabs.tsx";

interface FilterTabsProps {
  readonly label: string;
  /** Query parameter of the address that holds the choice: it can be bookmarked, and Back undoes it. */
  readonly name?: string;
  /** Value without the parameter first. */
  readonly choices: readonly Choice[];
}

/** Tabs that filter a list. */
export function FilterTabs({ label, name = "status", choices }: FilterTabsProps) {
  const tabs = choices.map(({ value, label }, index) => ({
    href: withQuery({ [name]: index === 0 ? "" : value, cursor: "" }),
    label,
  }));
  return <Tabs label={label} tabs={tabs} />;
}

export function filterBy(changes: Readonly<Record<string, string>>): void {
  navigate(withQuery({ ...changes, cursor: "" }), { keepFocus: true });
}
