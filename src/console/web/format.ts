// Dates and times have the format of the browser's region, but their words are in English and their digits are Latin, like the
// texts of the pages.

const { locale, hourCycle = "h23" } = new Intl.DateTimeFormat(undefined, {
  hour: "numeric",
}).resolvedOptions();
const { region = "US" } = new Intl.Locale(locale).maximize();
const LOCALE = new Intl.Locale(`en-${region}`, { calendar: "gregory", numberingSystem: "latn", hourCycle });

export const formatNumber = new Intl.NumberFormat(LOCALE).format;
export const formatDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" }).format;
export const formatUtcDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" }).format;
export const formatMinute = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" })
  .format;
export const formatTime = new Intl.DateTimeFormat(LOCALE, { timeStyle: "short" }).format;
export const formatExact = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full", timeStyle: "long" }).format;

/** Compares strings for sorting from A to Z. Numbers in the strings are compared by value: `Tank 2` comes before `Tank 10`. */
export const compareNames = new Intl.Collator(LOCALE, { numeric: true }).compare;

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto", style: "short" });
/** Formats the time between now and another time: `in 3 days`, `2 min. ago`. */
export const formatRelative = RELATIVE.format.bind(RELATIVE);

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
