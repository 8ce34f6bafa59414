import type { Overview } from "../../contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { daysSince } from "./days-since.ts";

/** The animals that have been in stock the longest, each with the number of days since it was added. */
export function LongestInStock({ longest }: Pick<Overview, "longest">) {
  if (longest.length === 0) return null;
  return (
    <section class="card" aria-labelledby="longest-heading">
      <h2 id="longest-heading">In stock longest</h2>
      <ul class="events" translate={false}>
        {longest.map(({ id, name, categoryId, addedAt }) => (
          <li key={String(id)} class="task">
            <span>
              <a href={`/animals/${id}`} dir="auto">
                {shortName(name, `Animal ${id}`)}
              </a>{" "}
              <bdi class="muted">{categoryName(String(categoryId))}</bdi>
            </span>
            <span class="muted">{daysSince(addedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function AvailableByCategory({ available }: Pick<Overview, "available">) {
  if (available.length === 0) return null;
  const most = Math.max(...available.map(({ count }) => count));
  return (
    <section class="card" aria-labelledby="available-heading">
      <h2 id="available-heading">Available by category</h2>
      <ul class="bars" translate={false}>
        {available.map(({ id, count }) => (
          <li key={String(id)}>
            <a href={`/animals?status=available&category=${id}`} dir="auto">
              {categoryName(String(id))}
            </a>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * count) / most} height="8" />
            </svg>
            <span>{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
