import { effect, signal } from "@preact/signals";
import { readJson } from "exact-json/read-json";
import { useEffect, useRef } from "preact/hooks";
import type { Event, EventType } from "../../../event-kinds/event-kinds.ts";
import { account, loadSession, session } from "../account/session.ts";
import { isTransient, toPetstoreError } from "../request-error.ts";
import { TYPE_WORDS } from "./event-words.ts";

export type Topic = EventType extends `${infer Resource}.${string}` ? Resource : never;

/** Called with each event; with undefined when anything may have changed. */
type Listener = (event: Event | undefined) => void;

const ADDRESS = "/console/api/events";
/** Delay before the first attempt to reopen a stream that has ended. */
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 10_000;
/** Duration after which the end of a stream is no reason to wait longer for the next. */
const LASTING_MS = 1_000;
/** Silence after which a stream counts as lost, although nothing has closed it: a stream has a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000;

const listeners = new Set<Listener>();
let source: EventSource | undefined;
/** Identifier of the last event that listeners know of: what they read before may lack later ones alone. */
let seen: number | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let retryMs = RETRY_MIN_MS;
let watchdog: ReturnType<typeof setTimeout> | undefined;

/** True while the page does not hear of changes, and tries to. */
export const isReconnecting = signal(false);

/** Opens a tab's only event stream, or closes it if hidden or signed out: a browser has six connections to a host. */
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
    // The browser does not tell why the server has refused: events after this one may be deleted.
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

/** Loads the session before the stream is opened: its end, or another role, may have ended the stream. */
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

/** Delay before a listener's call, in milliseconds, to collect the events of one change. */
const GATHER_MS = 50;
/** Minimum interval between a listener's calls, in milliseconds: a busy store has hundreds of events a second. */
const CALL_INTERVAL_MS = 500;

/** Maximum number of events in a listener's call; with more, it gets undefined: anything may have changed. */
const GATHERED_MAX = 200;

export type NewEvents = readonly Event[] | undefined;

/** Calls `onChange` with the events of these topics: one call at a time, then none for `intervalMs`. */
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
        // Tried again: the stream does not repeat what it has told.
        gathered = undefined;
        waitMs = RETRY_MAX_MS;
      });
      // Unless the component has been unmounted.
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
