import type { DayCounts, Overview } from "../../contract.ts";
import { formatNumber } from "../format.ts";
import { sum } from "./counts.ts";

interface Figure {
  readonly label: string;
  readonly count: number;
  readonly note: string | false;
  readonly href?: string;
}

export function Figures({ days, openOrders, pets, attention }: Overview) {
  const sold = days.map((day: DayCounts) => day.sold);
  const late = attention.orders.filter(({ isLate }) => isLate).length;
  const [available] = pets;
  const without = pets.find(({ status }) => status === null);
  const figures: readonly Figure[] = [
    {
      label: "Sold today",
      count: sum(sold.slice(-1)),
      note: sold.length > 1 && `${formatNumber(sum(sold.slice(-2, -1)))} yesterday`,
    },
    {
      label: "Sold in 7 days",
      count: sum(sold.slice(-7)),
      note: sold.length >= 14 && `${formatNumber(sum(sold.slice(-14, -7)))} in the 7 days before`,
    },
    {
      label: "Open orders",
      count: openOrders,
      note: late > 0 && `${formatNumber(late)} overdue`,
      href: "/orders?status=open",
    },
    {
      label: "Available",
      count: available?.count ?? 0,
      note: without !== undefined && without.count > 0 && `${formatNumber(without.count)} without a status`,
      href: "/animals?status=available",
    },
  ];
  return (
    <section class="figures wide" aria-label="Figures">
      {figures.map(({ label, count, note, href }) => (
        <div key={label} class="card">
          <p>{href === undefined ? label : <a href={href}>{label}</a>}</p>
          <p class="figure" translate={false}>
            {formatNumber(count)}
          </p>
          <p class="muted" translate={false}>
            {note}
          </p>
        </div>
      ))}
    </section>
  );
}
