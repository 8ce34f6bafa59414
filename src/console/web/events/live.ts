import { effect, signal } from "@preact/signals";
import { readJson } from "exact-json/read-json";
import { useEffect, useRef } from "preact/hooks";
import type { Event, EventType } from "../../../event-kinds/event-kinds.ts";
import { account, loadSession, session } from "../account/session.ts";
import { isTransient, toPetstoreError } from "../request-error.ts";
import { TYPE_WORDS } from "./event-words.ts";

export type Topic = EventType extends `${infer Resource}.${string}` ? Resource : never;

/**
 * A function that is called with each event. If the page may have missed events, it is called with undefined, which means that
 * anything may have changed.
 */
type Listener = (event: Event | undefined) => void;

const ADDRESS = "/console/api/events";
/** Delay before the first attempt to reopen a stream after it has ended. */
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 10_000;
/** If a stream was open for at least this long, the delay before the next attempt is not increased. */
const LASTING_MS = 1_000;
/**
 * If nothing arrives on a stream for this long, the connection is considered lost, even if nothing has closed it. The server
 * sends a heartbeat every 15 seconds.
 */
const SILENCE_MS = 45_000;

const listeners = new Set<Listener>();
let source: EventSource | undefined;
/** The identifier of the last event that the listeners got. Their data includes all changes up to this event. */
let seen: number | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let retryMs = RETRY_MIN_MS;
let watchdog: ReturnType<typeof setTimeout> | undefined;

/** True while the page receives no changes and is trying to reconnect. */
export const isReconnecting = signal(false);

/**
 * Opens the event stream of a tab, or closes it if the tab is hidden or the person is signed out. Each tab has only one stream,
 * because a browser opens only six connections to a host.
 */
function openOrClose() {
  const { account, lastEventId } = session.value ?? {};
  if (document.hidden || !account || lastEventId == null) {
    if (!account) seen = undefined;
    isReconnecting.value = false;
    return close();
  }
  if (source !== undefined) return;
  const missed = lastEventId - (seen ?? Number.NaN);
  if (!(missed >= 0 && missed <= GATHERED_MAX)) {
    seen = lastEventId;
    tell(undefined);
  }
  open(`${ADDRESS}?after=${seen}&role=${account.role}`);
}

function open(address: string) {
  const opened = new EventSource(address);
  const openedAt = performance.now();
  close();
  source = opened;
  function lose() {
    if (performance.now() - openedAt > LASTING_MS) retryMs = RETRY_MIN_MS;
    close();
    isReconnecting.value = true;
    reopenLater();
  }
  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, SILENCE_MS);
  }
  function hear() {
    isReconnecting.value = false;
    watch();
  }
  for (const type of Object.keys(TYPE_WORDS))
    opened.addEventListener(type, ({ data, lastEventId }) => {
      hear();
      seen = Number(lastEventId);
      tell(readJson(data) as Event);
    });
  opened.addEventListener("heartbeat", hear);
  opened.onerror = () => {
    // The browser does not say why the server refused the stream. A possible reason is that the server has deleted the events
    // after `seen`.
    if (opened.readyState === EventSource.CLOSED) seen = undefined;
    lose();
  };
  watch();
}

function close() {
  clearTimeout(retry);
  clearTimeout(watchdog);
  source?.close();
  source = undefined;
}

/**
 * Loads the session before it reopens the stream, because the stream may have ended when the session ended, or when the person's
 * role changed.
 */
async function reopen() {
  await loadSession();
  if (source === undefined && account.value !== undefined && !document.hidden) reopenLater();
}

function reopenLater() {
  retry = setTimeout(() => void reopen(), retryMs);
  retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
}

function tell(event: Event | undefined) {
  for (const listener of listeners) listener(event);
}

export function startLive(): void {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : void reopen()));
  effect(openOrClose);
}

/**
 * How long events are collected before a listener is called, in milliseconds, so that all events of one change arrive in the same
 * call.
 */
const GATHER_MS = 50;
/** The shortest interval between two calls of a listener, in milliseconds. A busy store has hundreds of events a second. */
export const CALL_INTERVAL_MS = 500;

/**
 * The maximum number of events that a listener gets in one call. If there are more, the listener gets undefined, which means that
 * anything may have changed.
 */
const GATHERED_MAX = 200;

export type NewEvents = readonly Event[] | undefined;

/**
 * Calls `onChange` with the events of the given topics. Only one call runs at a time. The next call begins no sooner than
 * `intervalMs` after the end of the previous call.
 */
export function useLive(
  topics: readonly Topic[],
  onChange: (changes: NewEvents) => Promise<void>,
  intervalMs = CALL_INTERVAL_MS,
): void {
  const latest = useRef(onChange);
  latest.current = onChange;

  useEffect(() => {
    let gathered: NewEvents = [];
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function pass() {
      const changes = gathered;
      gathered = [];
      if (changes?.length === 0) {
        timer = undefined;
        return;
      }
      const mine = timer;
      let waitMs = intervalMs;
      await latest.current(changes).catch((error) => {
        if (!isTransient(toPetstoreError(error))) return;
        // Calls the failed listener again, because the stream does not send these events a second time.
        gathered = undefined;
        waitMs = RETRY_MAX_MS;
      });
      // If the timer has changed, the component has been unmounted, so the listener is not called again.
      if (timer === mine) timer = setTimeout(pass, waitMs);
    }
    function listen(event: Event | undefined) {
      if (event === undefined || gathered?.length === GATHERED_MAX) gathered = undefined;
      else if (topics.some((topic) => event.type.startsWith(`${topic}.`))) gathered = gathered?.concat(event);
      else return;
      timer ??= setTimeout(pass, GATHER_MS);
    }

    listeners.add(listen);
    return () => {
      listeners.delete(listen);
      clearTimeout(timer);
      timer = undefined;
    };
  }, [topics.join()]);
}
