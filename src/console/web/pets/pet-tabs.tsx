import type { PetCounts } from "../../contract.ts";
import { Tabs } from "../components/tabs.tsx";
import { formatNumber } from "../format.ts";
import { sum } from "../overview/counts.ts";
import { route, withQuery } from "../router.ts";
import { STATUS_CHOICES, statusWord, WITHOUT_STATUS } from "./pet-status.tsx";

const CHOICES = [
  { value: "", label: "All" },
  ...STATUS_CHOICES,
  { value: WITHOUT_STATUS, label: statusWord(null) },
];

/**
 * Links that filter the list by status. Each link shows the number of animals, unless the list is also filtered by a search or a
 * category.
 */
export function PetTabs({ counts }: { readonly counts: PetCounts }) {
  const { query } = route.value;
  const tabs = CHOICES.map(({ value, label }) => {
    const count = countOfTab(counts, query, value);
    return { href: withQuery({ status: value }), label, count };
  });
  return <Tabs label="Animals by status" tabs={tabs} />;
}

/**
 * Returns the number of animals in a tab (by default, the open tab), formatted for display. Returns undefined if the number is not
 * known, because a search or a category also filters the list, the counts are not loaded yet, or the address contains an unknown
 * status.
 */
export function countOfTab(
  counts: PetCounts,
  query: URLSearchParams,
  tab = query.get("status") ?? "",
): string | undefined {
  const isNarrowed = ["name", "category"].some((name) => query.has(name));
  const shown = counts.filter(({ status }) => tab === "" || (status ?? WITHOUT_STATUS) === tab);
  return isNarrowed || shown.length === 0 ? undefined : formatNumber(sum(shown.map(({ count }) => count)));
}
