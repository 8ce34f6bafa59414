import type { ComponentChildren } from "preact";
import { Timestamp } from "./timestamp.tsx";

/** A column that shows a time, such as `2 min. ago`. @param none the text for a row that has no time */
export function timeColumn<Row>(at: (row: Row) => string | null | undefined, none = "") {
  const cell = (row: Row) => {
    const time = at(row);
    return time ? <Timestamp at={time} precision="ago" /> : none;
  };
  return { cell, width: "7rem", isShort: true, isLabelled: true };
}

/** A column with one word or number in each row. On a phone, the value is at the end of the row's first line. */
export function wordColumn<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, width: "6rem", isShort: true, phone: "first" } as const;
}

/** A column with one word, number or time, which is not shown on a phone because there is no space for it. */
export function wideOnly<Row>(cell: (row: Row) => ComponentChildren) {
  return { cell, isShort: true, phone: "hidden" } as const;
}
