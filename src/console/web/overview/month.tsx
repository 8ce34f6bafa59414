import type { DayCounts } from "../../contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { countText, sum } from "./counts.ts";

const DAYS = 31;

type What = "sold" | "added";

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
  readonly since: string | null;
}

/** Bar chart of animals sold and added each day; screen readers get a table. */
export function Month({ days, since }: MonthProps) {
  const [first] = days;
  const isShort = since !== null && days.length < DAYS;
  return (
    <section class="card wide" aria-labelledby="month-heading">
      <h2 id="month-heading">The last {DAYS} days</h2>
      {isShort && (
        <p class="muted">
          Counted since <Timestamp at={since} precision="day" />, when the history begins.
        </p>
      )}
      <Bars days={days} what="sold" label="Sold" />
      <Bars days={days} what="added" label="Added" />
      {first !== undefined && (
        <details>
          <summary>Each day as a table</summary>
          <ListTable
            label="Animals sold and added by day"
            rows={days.map((day) => ({ ...day, id: day.from })).reverse()}
            columns={{
              Day: ({ from }) => <Timestamp at={new Date(from).toISOString()} precision="day" />,
              Sold: ({ sold }) => countText(sold),
              Added: ({ added }) => countText(added),
            }}
          />
        </details>
      )}
    </section>
  );
}

interface BarsProps {
  readonly days: readonly DayCounts[];
  readonly what: What;
  readonly label: string;
}

/** Bars of animals sold, or added, by day; each kind has its own scale: an import of thousands would flatten the sales. */
function Bars({ days, what, label }: BarsProps) {
  const most = Math.max(0, ...days.map((day) => day[what].count));
  const bars = days.map((day, index) => {
    const height = most && (40 * day[what].count) / most;
    return `M${(DAYS - days.length + index) * 10 + 1} 40v-${height}h8v${height}z`;
  });
  return (
    <>
      <p class="bars-label">
        {label}: {countText(sum(days.map((day) => day[what])))}
        {most > 0 && <span class="muted">, at most {most.toLocaleString()} in a day</span>}
      </p>
      <svg
        class={`month-bars ${what}`}
        viewBox={`0 0 ${DAYS * 10} 40`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={bars.join("")} />
      </svg>
    </>
  );
}
