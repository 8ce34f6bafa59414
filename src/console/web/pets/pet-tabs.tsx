import type { TargetedMouseEvent } from "preact";
import type { Count, PetCounts } from "../../contract.ts";
import { useLive } from "../events/live.ts";
import { countText, sum } from "../overview/status-chart.tsx";
import { call } from "../request.ts";
import { navigate, route, withQuery } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { STATUS_CHOICES } from "./pet-status.tsx";

/** Minimum interval of two counts, each of which reads up to 40,000 animals. */
const COUNT_INTERVAL_MS = 10_000;

/** Links that filter by status; each has its number of animals, unless a search or category narrows the list. */
export function PetTabs() {
  const { query } = route.value;
  const read = (signal?: AbortSignal) => call<PetCounts>("GET", "/pet-counts", { signal });
  const counts = useLoad(read);
  const recount = async () => {
    const fresh = await read();
    counts.update(() => fresh);
  };
  useLive(["pet"], recount, COUNT_INTERVAL_MS);
  const isNarrowed = ["name", "category"].some((name) => query.has(name));
  const countOf = (status: string) => {
    if (isNarrowed || counts.value === undefined) return undefined;
    return status === "" ? sum(counts.value) : counts.value.find((one) => one.status === status);
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
