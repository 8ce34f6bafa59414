import type { StatusCount } from "../../contract.ts";
import { statusWord } from "../pets/pet-status.tsx";
import { countText } from "./counts.ts";

export function StatusChart({ pets }: { readonly pets: readonly StatusCount[] }) {
  const most = Math.max(1, ...pets.map(({ count }) => count));
  return (
    <ul class="chart">
      {pets.map((one) => (
        <li key={one.status ?? "none"}>
          <span>
            {one.status === null ? (
              statusWord(null)
            ) : (
              <a href={`/animals?status=${one.status}`}>{statusWord(one.status)}</a>
            )}
          </span>
          <svg
            class={`chart-bar ${one.status ?? "none"}`}
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect class="chart-track" width="100" height="10" />
            <rect width={(100 * one.count) / most} height="10" />
          </svg>
          <span class="chart-count">{countText(one)}</span>
        </li>
      ))}
    </ul>
  );
}
