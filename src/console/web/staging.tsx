import { session } from "./account/session.ts";
import { lazy } from "./components/lazy.tsx";

const loadRehearsal = () => import("./rehearsal/rehearsal.tsx");
const StagingBanner = lazy(async () => (await loadRehearsal()).StagingBanner);
export const Rehearsal = lazy(async () => (await loadRehearsal()).Rehearsal);

export function EnvironmentBanner() {
  return (
    session.value?.environment === "staging" && (
      <aside class="staging-banner" aria-label="Environment">
        <StagingBanner />
      </aside>
    )
  );
}
