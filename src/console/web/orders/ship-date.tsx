import type { Order } from "../../../orders/contract.ts";
import { Timestamp } from "../components/timestamp.tsx";

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const START_OF_DAY = "T00:00:00.000Z";

/** A date that a person picks is stored as its start in UTC, in every time zone: it is that date for everybody. */
export function shipDateFrom(date: string): string | null {
  return date === "" ? null : date + START_OF_DAY;
}

/** The date that was picked; a time of day, which a program may set, in the browser's time zone. */
export function ShipDate({ shipDate }: Pick<Order, "shipDate">) {
  if (shipDate === null) return "Not set";
  if (!shipDate.endsWith(START_OF_DAY)) return <Timestamp at={shipDate} />;
  return <time dateTime={shipDate.replace(START_OF_DAY, "")}>{DAY.format(new Date(shipDate))}</time>;
}
