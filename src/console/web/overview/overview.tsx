import { useEffect } from "preact/hooks";
import type { Overview as OverviewAnswer } from "../../contract.ts";
import { lazy } from "../components/lazy.tsx";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { CALL_INTERVAL_MS } from "../events/live.ts";
import { useCounts } from "../events/use-counts.ts";
import { call } from "../request.ts";
import { Figures } from "./figures.tsx";
import { daysOfMonth, Month } from "./month.tsx";
import { AvailableByCategory, LongestInStock } from "./stock.tsx";
import { ToDo } from "./to-do.tsx";
import { useLatestChanges } from "./use-latest-changes.ts";

const LatestChanges = lazy(async () => (await import("./latest-changes.tsx")).LatestChanges);
const FirstAnimals = lazy(async () => (await import("../pets/first-animals.tsx")).FirstAnimals);

export function Overview() {
  const read = (signal?: AbortSignal) =>
    call<OverviewAnswer>("GET", "/overview", { query: { days: daysOfMonth().join() }, signal });
  const overview = useCounts(read, ["pet", "order"], CALL_INTERVAL_MS);
  // The latest changes and their code are loaded at the same time as the figures.
  const latest = useLatestChanges();
  useEffect(() => void LatestChanges.preload(), []);
  return (
    <Screen title="Overview">
      <Loading loaded={overview} what="the store">
        {(shown) => (
          <div class="tiles">
            {shown.pets.every(({ count }) => count === 0) ? <FirstAnimals /> : <Figures {...shown} />}
            <ToDo attention={shown.attention} />
            <LongestInStock longest={shown.longest} />
            <Month days={shown.days} />
            <AvailableByCategory available={shown.available} />
            <LatestChanges latest={latest} />
          </div>
        )}
      </Loading>
    </Screen>
  );
}
