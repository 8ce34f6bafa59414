import type { Category } from "../../../categories/contract.ts";
import type { UnnamedCategory } from "../../contract.ts";
import { useLive } from "../events/live.ts";
import { countText } from "../overview/status-chart.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

/** Minimum interval of two reads, which count animals. */
const INTERVAL_MS = 10_000;

/** Offers to name the category numbers that animals use. */
export function UnnamedCategories({ onName }: { readonly onName: (id: Category["id"]) => void }) {
  const { value = [], reload } = useLoad((signal) =>
    call<readonly UnnamedCategory[]>("GET", "/unnamed-categories", { signal }),
  );
  useLive(["category", "pet"], reload, INTERVAL_MS);
  if (value.length === 0) return null;
  return (
    <ul aria-label="Numbers that animals use">
      {value.map(({ id, ...count }) => (
        <li key={String(id)}>
          <button type="button" class="link" onClick={() => onName(id)}>
            Category {String(id)}, {countText(count)} {count.count === 1 ? "animal" : "animals"}: name it
          </button>
        </li>
      ))}
    </ul>
  );
}
