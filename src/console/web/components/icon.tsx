const PAW =
  "M12 11.2c-2.7 0-6 3.5-6 6.6 0 1.9 1.3 2.9 3 2.9 1.2 0 2-.5 3-.5s1.8.5 3 .5c1.7 0 3-1 3-2.9 0-3.1-3.3-6.6-6-6.6Z" +
  "M4.6 9.1c-1.3.3-2 1.8-1.5 3.3s1.9 2.4 3.2 2c1.3-.3 2-1.8 1.5-3.3s-1.9-2.4-3.2-2Z" +
  "m14.8 0c1.3.3 2 1.8 1.5 3.3s-1.9 2.4-3.2 2c-1.3-.3-2-1.8-1.5-3.3s1.9-2.4 3.2-2Z" +
  "M9.2 3.3c-1.5.2-2.5 1.9-2.2 3.7.3 1.8 1.7 3.1 3.2 2.9s2.5-1.9 2.2-3.7c-.3-1.8-1.7-3.1-3.2-2.9Z" +
  "m5.6 0c1.5.2 2.5 1.9 2.2 3.7-.3 1.8-1.7 3.1-3.2 2.9s-2.5-1.9-2.2-3.7c.3-1.8 1.7-3.1 3.2-2.9Z";

/** The logo, which looks like the icon of the pages in `src/site/web/paw.svg`. */
export function Logo() {
  return (
    <svg class="logo" viewBox="-5 -5 34 34" aria-hidden="true">
      <rect x="-5" y="-5" width="34" height="34" rx="9" />
      <path d={PAW} />
    </svg>
  );
}

const STROKES = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z",
  pets: PAW,
  categories: "M4 4h7l9 9-7 7-9-9zM8 8h.01",
  orders: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  developers: "M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c.8-4 3.2-6 7-6s6.2 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14c2.2.6 3.5 2.6 4 6",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5 8-5s7 1 8 5",
  staging: "M9 3h6M10 3v6l-6 11h16l-6-11V3M7 15h10",
} as const;

export type IconName = keyof typeof STROKES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
}
