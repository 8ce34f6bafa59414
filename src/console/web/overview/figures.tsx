import type { Count, Overview } from "../../contract.ts";
import { statusWord, WITHOUT_STATUS } from "../pets/pet-status.tsx";
import { countText, sum } from "./counts.ts";

type Figure = readonly [label: string, count: Count, href?: string];

/** Sales, open orders and animals by status, in a row. Figures that are 0 are left out. */
export function Figures({ days, openOrders, pets }: Pick<Overview, "days" | "openOrders" | "pets">) {
  const sold = days.map((day) => day.sold);
  const figures: readonly Figure[] = [
    ["Sold today", sum(sold.slice(-1))],
    ["Sold in 7 days", sum(sold.slice(-7))],
    ["Open orders", openOrders, "/orders?status=open"],
    ...pets.map((one): Figure => {
      const href = `/animals?status=${one.status ?? WITHOUT_STATUS}`;
      return [statusWord(one.status), one, href];
    }),
  ];
  const shown = figures.filter(([, { count }]) => count > 0);
  if (shown.length === 0) return null;
  return (
    <section class="card wide" aria-label="Figures">
      <dl class="figures">
        {shown.map(([label, count, href]) => (
          <div key={label}>
            <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
            <dd translate={false}>{countText(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
