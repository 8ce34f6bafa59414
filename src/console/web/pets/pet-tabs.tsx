import type { PetCounts } from "../../contract.ts";
import { Tabs } from "../components/tabs.tsx";
import { countText, sum } from "../overview/counts.ts";
import { route, withQuery } from "../router.ts";
import { STATUS_CHOICES, statusWord, WITHOUT_STATUS } from "./pet-status.tsx";
import { useAnimalCounts } from "./use-animal-counts.ts";

const CHOICES = [
  { value: "", label: "All" },
  ...STATUS_CHOICES,
  { value: WITHOUT_STATUS, label: statusWord(null) },
];

/** Links that filter by status; each has its number of animals, unless a search or category narrows the list. */
export function PetTabs() {
  const { query } = route.value;
  const counts = useAnimalCounts<PetCounts>("/pet-counts", ["pet"]) ?? [];
  const isNarrowed = ["name", "category"].some((name) => query.has(name));
  const tabs = CHOICES.map(({ value, label }) => {
    const shown = counts.filter(({ status }) => value === "" || (status ?? WITHOUT_STATUS) === value);
    const count = isNarrowed || shown.length === 0 ? undefined : countTextOf(shown);
    return { href: withQuery({ status: value }), label, count };
  });
  return <Tabs label="Animals by status" tabs={tabs} />;
}

/** Sum of counts as text; of those that are not exact a round number that is certain, such as `10,000+`. */
function countTextOf(counts: PetCounts): string {
  const { count, isAtLeast } = sum(counts);
  // The server stops counting each status at the same number.
  const { count: maximum = 1 } = counts.find((one) => one.isAtLeast) ?? {};
  return countText({ count: count - (count % maximum), isAtLeast });
}
