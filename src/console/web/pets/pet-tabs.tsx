import type { PetCounts } from "../../contract.ts";
import { Tabs } from "../components/tabs.tsx";
import { formatNumber } from "../format.ts";
import { sum } from "../overview/counts.ts";
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
    const count =
      isNarrowed || shown.length === 0 ? undefined : formatNumber(sum(shown.map((one) => one.count)));
    return { href: withQuery({ status: value }), label, count };
  });
  return <Tabs label="Animals by status" tabs={tabs} />;
}
