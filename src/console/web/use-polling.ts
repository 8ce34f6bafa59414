import { useEffect, useRef } from "preact/hooks";

const FIRST_DELAY_MS = 400;
const DELAY_MAX_MS = 10_000;
const DELAY_GROWTH = 1.6;

/**
 * Polls with increasing delays, except while the tab is hidden.
 *
 * @param awaited identifies the items that are still pending; a new value resets the delays, and an empty string stops the
 * polling
 */
export function usePolling(awaited: string, poll: () => Promise<void>): void {
  const latest = useRef(poll);
  latest.current = poll;

  useEffect(() => {
    let delay = FIRST_DELAY_MS;
    let timer = awaited === "" ? undefined : setTimeout(tick, delay);
    async function tick() {
      const mine = timer;
      if (!document.hidden) await latest.current();
      delay = Math.min(delay * DELAY_GROWTH, DELAY_MAX_MS);
      // If the timer has changed, the effect has ended while `poll` was running, so there is no further call.
      if (timer === mine) timer = setTimeout(tick, delay);
    }
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [awaited]);
}
