import { signal } from "@preact/signals";

const TOAST_MS = 6_000;

const spoken = signal("");
const shown = signal("");
let dismissal: ReturnType<typeof setTimeout> | undefined;

/** Says something to everyone: in the corner of the screen, and through screen readers. */
export function announce(text: string): void {
  clearTimeout(dismissal);
  // Emptied first, because the same words again would not be read again.
  shown.value = "";
  setTimeout(() => {
    shown.value = text;
  }, 50);
  dismissal = setTimeout(() => {
    shown.value = "";
  }, TOAST_MS);
}

/** Says something that the eye sees anyway to those who listen. */
export function announcePolite(text: string): void {
  spoken.value = "";
  setTimeout(() => {
    spoken.value = text;
  }, 50);
}

export function Announcements() {
  return (
    <>
      <div class="visually-hidden" aria-live="polite">
        {spoken.value}
      </div>
      <div class="toast" role="status">
        {shown.value && <p dir="auto">{shown.value}</p>}
      </div>
    </>
  );
}
