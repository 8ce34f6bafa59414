import { type Signal, signal } from "@preact/signals";

const TOAST_MS = 6_000;
const SPARSE_MS = 8_000;

const spoken = signal("");
const shown = signal("");
let dismissal: ReturnType<typeof setTimeout> | undefined;

/** Sets the text of a live region. The region is emptied first, because screen readers would not read out an unchanged text. */
function renew(region: Signal<string>, text: string) {
  region.value = "";
  setTimeout(() => {
    region.value = text;
  }, 50);
}

export function announce(text: string): void {
  clearTimeout(dismissal);
  renew(shown, text);
  dismissal = setTimeout(() => {
    shown.value = "";
  }, TOAST_MS);
}

/** Announces text only to screen readers, without showing a toast. */
export function announcePolite(text: string): void {
  renew(spoken, text);
}

let latest = "";
let sparse: ReturnType<typeof setTimeout> | undefined;

/** Announces a change that somebody else made. In each period of `SPARSE_MS`, only the latest of these texts is announced. */
export function announceSparsely(text: string): void {
  latest = text;
  if (sparse !== undefined) return;
  announcePolite(text);
  sparse = setTimeout(() => {
    sparse = undefined;
    if (latest !== text) announceSparsely(latest);
  }, SPARSE_MS);
}

export function Announcements() {
  return (
    <>
      <div class="visually-hidden" aria-live="polite" translate={false}>
        {spoken.value}
      </div>
      <div class="toast" role="status" translate={false}>
        {shown.value && <p dir="auto">{shown.value}</p>}
      </div>
    </>
  );
}
