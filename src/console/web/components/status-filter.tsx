import { capitalized } from "../format.ts";
import { navigate, withQuery } from "../router.ts";
import { Tabs } from "./tabs.tsx";

interface FilterTabsProps {
  readonly label: string;
  /**
   * The query parameter that contains the chosen value. Because it is part of the address, people can bookmark the choice, and
   * undo it with Back.
   */
  readonly name?: string;
  /** The values that people can choose. If the address does not contain the parameter, the first value applies. */
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
