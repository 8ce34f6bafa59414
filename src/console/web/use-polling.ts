import { useEffect, useRef } from "preact/hooks";

const FIRST_DELAY_MS = 400;
const DELAY_MAX_MS = 10_000;
const DELAY_GROWTH = 1.6;

/**
 * Polls with growing delays while the tab is visible.
 *
 * @param awaited identifies the pending items: a new value restarts the delays, an empty one stops polling
 */
export function usePolling(awaited: string, poll: () => Promise<void>): void {
  const latest = useRef(poll);
  latest.current = poll;

  useEffect(() => {
    if (awaited === "") return;
    let delay = FIRST_DELAY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function tick() {
      const mine = timer;
      await latest.current();
      delay = Math.min(delay * DELAY_GROWTH, DELAY_MAX_MS);
      // During the poll, another timer may have been started, or this one stopped.
      if (timer !== undefined && timer === mine) startOrPause();
    }
    function startOrPause() {
      clearTimeout(timer);
      timer = document.hidden ? undefined : setTimeout(tick, delay);
    }

    startOrPause();
    document.addEventListener("visibilitychange", startOrPause);
    return () => {
      clearTimeout(timer);
      timer = undefined;
      document.removeEventListener("visibilitychange", startOrPause);
    };
  }, [awaited]);
}
