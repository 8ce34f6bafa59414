import type { DayCounts } from "../../contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatDay, formatNumber } from "../format.ts";
import { sum } from "./counts.ts";

const DAYS = 31;
const WIDTH = 372;
const HEIGHT = 110;
const STEP = WIDTH / DAYS;

/** Returns the start time of each day of the last month in this time zone, in milliseconds since 1970. The last day is today. */
export function daysOfMonth(): readonly number[] {
  const now = new Date();
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS + 1 + index).getTime(),
  );
}

interface MonthProps {
  /** The counts of animals sold and added on each of up to 31 days. There are fewer days if older events have been deleted. */
  readonly days: readonly DayCounts[];
}

/** A bar chart of how many animals were added, and how many were sold, on each day. Screen readers get the same numbers as a table. */
export function Month({ days }: MonthProps) {
  const [first] = days.filter(({ sold, added }) => sold + added > 0);
  if (first === undefined) return null;
  return (
    <section class="card" aria-labelledby="month-heading">
      <h2 id="month-heading">
        {days.length < DAYS ? <>Since {dayOf(days[0] ?? first)}</> : `Last ${DAYS} days`}
      </h2>
      <p class="legend" translate={false}>
        <span class="sold">Sold {formatNumber(sum(days.map(({ sold }) => sold)))}</span>{" "}
        <span class="added">Added {formatNumber(sum(days.map(({ added }) => added)))}</span>
      </p>
      <Chart days={days} />
      <details>
        <summary>Show as table</summary>
        <ListTable
          label="Animals sold and added by day"
          rows={days.map((day) => ({ ...day, id: day.from })).reverse()}
          columns={{
            Day: dayOf,
            Sold: { cell: ({ sold }) => formatNumber(sold), isLabelled: true },
            Added: { cell: ({ added }) => formatNumber(added), isLabelled: true },
          }}
        />
      </details>
    </section>
  );
}

function dayOf({ from }: DayCounts) {
  return <Timestamp at={new Date(from).toISOString()} precision="day" />;
}

/**
 * Draws bars for the sold and the added animals on a common scale, with grid lines, a date for each week, and the numbers for the
 * day under the pointer.
 */
function Chart({ days }: MonthProps) {
  const most = Math.max(...days.flatMap(({ sold, added }) => [sold, added]));
  const step = Math.ceil(most / 4);
  const y = (count: number) => HEIGHT - (HEIGHT * count) / (4 * step);
  const x = (index: number) => (DAYS - days.length + index) * STEP;
  const bar = (left: number, width: number, count: number) =>
    count > 0 ? `M${left} ${HEIGHT}V${y(count)}h${width}V${HEIGHT}z` : "";
  const path = (kind: "sold" | "added", inset: number) =>
    days.map((day, index) => bar(x(index) + inset, STEP - 2 * inset, day[kind])).join("");
  return (
    <svg class="month" viewBox={`-28 -14 ${WIDTH + 46} ${HEIGHT + 36}`} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((line) => (
        <g key={line}>
          <path class="line" d={`M0 ${y(line * step)}h${WIDTH}`} />
          <text x="-6" y={y(line * step) + 4} text-anchor="end">
            {formatNumber(line * step)}
          </text>
        </g>
      ))}
      <path class="added" d={path("added", 1)} />
      <path class="sold" d={path("sold", 3)} />
      {days.map(({ from, sold, added }, index) => {
        const date = formatDay(new Date(from));
        return (
          <g key={from} class="day">
            {(days.length - 1 - index) % 7 === 0 && (
              <text x={x(index) + STEP / 2} y={HEIGHT + 18} text-anchor="middle">
                {date.replace(/,? \d{4}$/, "")}
              </text>
            )}
            <rect x={x(index)} y="-14" width={STEP} height={HEIGHT + 14}>
              <title>{`${date}: ${formatNumber(sold)} sold, ${formatNumber(added)} added`}</title>
            </rect>
          </g>
        );
      })}
    </svg>
  );
}
