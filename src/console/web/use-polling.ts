import { useEffect, useRef } from "preact/hooks";

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 10_000;
const GROWTH = 1.6;

/**
 * Looks again, at growing intervals, while there is something to wait for and someone is looking.
 *
 * @param awaited names what is waited for; empty for nothing, and when it changes the intervals start over
 */
export function usePolling(awaited: string, look: () => Promise<void>): void {
  const latest = useRef(look);
  latest.current = look;

  useEffect(() => {
    if (awaited === "") return;
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function tick(): Promise<void> {
      const mine = timer;
      await latest.current();
      pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS);
      // Another one may have been started meanwhile, or none be wanted any more.
      if (timer !== undefined && timer === mine) timer = setTimeout(tick, pause);
    }
    function follow(): void {
      clearTimeout(timer);
      timer = document.hidden ? undefined : setTimeout(tick, pause);
    }

    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearTimeout(timer);
      timer = undefined;
      document.removeEventListener("visibilitychange", follow);
    };
  }, [awaited]);
}
