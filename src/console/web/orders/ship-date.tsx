import type { Order } from "../../../orders/contract.ts";
import { Timestamp } from "../components/timestamp.tsx";
import { formatUtcDay } from "../format.ts";

const DAY_MS = 86_400_000;
const START_OF_DAY = "T00:00:00.000Z";

/**
 * Converts a chosen date to the start of that day in UTC. The console shows this time as the same date in every time zone.
 * Returns null for an empty string.
 */
export function shipDateFrom(date: string): string | null {
  return date === "" ? null : date + START_OF_DAY;
}

/** Shows the ship date of an order. If a program has set a time of day, also shows that time, in the browser's time zone. */
function ShipDate({ shipDate }: { readonly shipDate: string }) {
  if (!shipDate.endsWith(START_OF_DAY)) return <Timestamp at={shipDate} />;
  return (
    <time translate={false} dateTime={shipDate.replace(START_OF_DAY, "")}>
      {formatUtcDay(new Date(shipDate))}
    </time>
  );
}

/**
 * Shows when an order is due. The date is red if the order is late, which means that it is still open although the day is over in
 * every time zone.
 */
export function DueDate({ order: { shipDate, complete } }: { readonly order: Order }) {
  if (shipDate === null) return null;
  const isLate = !complete && Date.parse(shipDate) < Date.now() - DAY_MS;
  return (
    <span class={isLate ? "problem" : "due"}>
      <ShipDate shipDate={shipDate} />
      {isLate && " (late)"}
    </span>
  );
}
