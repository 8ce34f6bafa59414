import { signal } from "@preact/signals";
import { formatDay, formatExact, formatMinute, formatRelative, formatTime } from "../format.ts";

const NOW_INTERVAL_MS = 5_000;
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, NOW_INTERVAL_MS);

const FORMATS = { day: formatDay, minute: formatMinute, time: formatTime, ago, recent } as const;

interface TimestampProps {
  /** The time to show, in RFC 3339 format. */
  readonly at: string;
  readonly precision?: keyof typeof FORMATS;
  /** The author, whom the tooltip names: `by you`. */
  readonly by?: string;
}

/** Shows a time in the browser's time zone. The tooltip contains the exact time. */
export function Timestamp({ at, precision = "minute", by = "" }: TimestampProps) {
  const time = new Date(at);
  return (
    <time translate={false} dateTime={at} title={`${formatExact(time)} (${at}) ${by}`.trim()}>
      {FORMATS[precision](time)}
    </time>
  );
}

const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

const WEEK_SECONDS = 7 * 86_400;

/** Formats a past time as `2 min. ago`, or as a date and a time of day if it is more than a week ago. */
export function ago(time: Date): string {
  // The server's clock may be ahead of this computer's clock, so a time in the future is shown as now.
  const seconds = Math.max(0, Math.round((now.value - time.getTime()) / 1000));
  const [length, unit] = UNITS.find(([least]) => seconds >= least) ?? [1, "second"];
  return seconds > WEEK_SECONDS ? formatMinute(time) : formatRelative(-Math.floor(seconds / length), unit);
}

/** Formats a past time briefly, without a time of day, so that it fits into a narrow column. */
function recent(time: Date): string {
  return now.value - time.getTime() > WEEK_SECONDS * 1000 ? formatDay(time) : ago(time);
}
