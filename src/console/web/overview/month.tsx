import type { DayCounts } from "../../contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { countText, sum } from "./counts.ts";

const DAYS = 31;

/** Start of each day of the last month in this time zone, in milliseconds since 1970; today is the last. */
export function daysOfMonth(): readonly number[] {
  const now = new Date();
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS + 1 + index).getTime(),
  );
}

interface MonthProps {
  /** Animals sold and added on each of the last days: up to 31, as far back as events are kept. */
  readonly days: readonly DayCounts[];
}

/** Bar chart of animals sold and added each day; screen readers get a table. */
export function Month({ days }: MonthProps) {
  const [first] = days.filter(({ sold, added }) => sold.count + added.count > 0);
  if (first === undefined) return null;
  return (
    <section class="card" aria-labelledby="month-heading">
      <h2 id="month-heading">
        {days.length < DAYS ? <>Since {dayOf(days[0] ?? first)}</> : `The last ${DAYS} days`}
      </h2>
      <Bars days={days} what="sold" label="Sold" />
      <Bars days={days} what="added" label="Added" />
      <details>
        <summary>Show as table</summary>
        <ListTable
          label="Animals sold and added by day"
          rows={days.map((day) => ({ ...day, id: day.from })).reverse()}
          columns={{
            Day: dayOf,
            Sold: ({ sold }) => countText(sold),
            Added: ({ added }) => countText(added),
          }}
        />
      </details>
    </section>
  );
}

function dayOf({ from }: DayCounts) {
  return <Timestamp at={new Date(from).toISOString()} precision="day" />;
}

interface BarsProps {
  readonly days: readonly DayCounts[];
  readonly what: "sold" | "added";
  readonly label: string;
}

/** Bars of the animals sold, or added, on each day. Each chart has its own scale, because an import would flatten the sales. */
function Bars({ days, what, label }: BarsProps) {
  const most = Math.max(0, ...days.map((day) => day[what].count));
  if (most === 0) return null;
  const bars = days.map((day, index) => {
    const height = (40 * day[what].count) / most;
    return `M${(DAYS - days.length + index) * 10 + 1} 40v-${height}h8v${height}z`;
  });
  return (
    <>
      <p class="bars-label" translate={false}>
        {label}: {countText(sum(days.map((day) => day[what])))}
        <span class="muted"> · best day {formatNumber(most)}</span>
      </p>
      <svg class="month-bars" viewBox={`0 0 ${DAYS * 10} 40`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.join("")} />
      </svg>
    </>
  );
}
