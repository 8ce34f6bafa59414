import type { TargetedMouseEvent } from "preact";
import type { Count, PetCounts } from "../../contract.ts";
import { countText, sum } from "../overview/counts.ts";
import { navigate, route, withQuery } from "../router.ts";
import { STATUS_CHOICES } from "./pet-status.tsx";
import { useAnimalCounts } from "./use-animal-counts.ts";

/** Links that filter by status; each has its number of animals, unless a search or category narrows the list. */
export function PetTabs() {
  const { query } = route.value;
  const counts = useAnimalCounts<PetCounts>("/pet-counts", ["pet"]);
  const isNarrowed = ["name", "category"].some((name) => query.has(name));
  const countOf = (status: string) => {
    if (isNarrowed || counts === undefined) return undefined;
    return status === "" ? sum(counts) : counts.find((one) => one.status === status);
  };
  return (
    <nav class="tabs" aria-label="Animals by status">
      {[{ value: "", label: "All" }, ...STATUS_CHOICES].map(({ value, label }) => (
        <Tab key={value} status={value} label={label} count={countOf(value)} />
      ))}
    </nav>
  );
}

interface TabProps {
  readonly status: string;
  readonly label: string;
  readonly count: Count | undefined;
}

function Tab({ status, label, count }: TabProps) {
  const href = withQuery({ status });
  function open(event: TargetedMouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href, { keepFocus: true });
  }
  const isCurrent = (route.value.query.get("status") ?? "") === status;
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined} onClick={open}>
      {label} {count && <span class="muted">{countText(count)}</span>}
    </a>
  );
}
