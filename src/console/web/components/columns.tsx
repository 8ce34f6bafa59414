import type { ComponentChildren } from "preact";
import { Timestamp } from "./timestamp.tsx";

/** Column with a time, such as `2 min. ago`. @param none text of a row without one */
export function timeColumn<Row>(at: (row: Row) => string | null | undefined, none = "") {
  const cell = (row: Row) => {
    const time = at(row);
    return time ? <Timestamp at={time} precision="ago" /> : none;
  };
  return { cell, width: "8.5rem", isLabelled: true };
}

/** Column with one word or number, in the first line on a phone. */
export function wordColumn<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, width: "8rem", phone: "first" } as const;
}

/** Column that a phone has no room for. */
export function wideOnly<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, phone: "hidden" } as const;
}
