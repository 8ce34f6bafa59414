const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

interface MomentProps {
  /** RFC 3339. */
  readonly at: string;
  readonly precision?: "day" | "minute";
}

/** A time as the reader writes it; the exact one is in its tooltip and in `datetime`. */
export function Timestamp({ at, precision = "minute" }: MomentProps) {
  const time = new Date(at);
  const format = precision === "day" ? DAY : MINUTE;
  return (
    <time dateTime={at} title={`${EXACT.format(time)} (${at})`}>
      {format.format(time)}
    </time>
  );
}
