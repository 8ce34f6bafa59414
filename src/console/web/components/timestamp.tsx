const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

interface TimestampProps {
  /** RFC 3339. */
  readonly at: string;
  readonly precision?: "day" | "minute";
}

/** A time in the browser's locale and time zone; the tooltip has the exact one. */
export function Timestamp({ at, precision = "minute" }: TimestampProps) {
  const time = new Date(at);
  const format = precision === "day" ? DAY : MINUTE;
  return (
    <time dateTime={at} title={`${EXACT.format(time)} (${at})`}>
      {format.format(time)}
    </time>
  );
}
