import { capitalized } from "../format.ts";
import { navigate, withQuery } from "../router.ts";
import { Tabs } from "./tabs.tsx";

interface FilterTabsProps {
  readonly label: string;
  /** The query parameter of the address that contains the choice, so that the choice can be bookmarked, and undone with Back. */
  readonly name?: string;
  /** The values to choose from. The first one applies if the address does not contain the parameter. */
  readonly choices: readonly string[];
}

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
