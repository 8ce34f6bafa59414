import type { ComponentChildren } from "preact";
import { Timestamp } from "./timestamp.tsx";

/** Column with a time, such as `2 min. ago`. @param none text of a row without one */
export function timeColumn<Row>(at: (row: Row) => string | null | undefined, none = "") {
  const cell = (row: Row) => {
    const time = at(row);
    return time ? <Timestamp at={time} precision="ago" /> : none;
  };
  return { cell, width: "7rem", isShort: true, isLabelled: true };
}

/** Column with one word or number, in the first line on a phone. */
export function wordColumn<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, width: "6rem", isShort: true, phone: "first" } as const;
}

/** Column with one word, number or time that a phone has no room for. */
export function wideOnly<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, isShort: true, phone: "hidden" } as const;
}
