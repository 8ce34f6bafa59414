import { effect } from "@preact/signals";
import { readJson } from "exact-json/read-json";
import { useEffect, useRef } from "preact/hooks";
import type { Event } from "../../../api/event-contract.ts";
import type { EventType } from "../../../events/event.ts";
import { account } from "../account/session.ts";
import { TYPE_WORDS } from "./event-words.ts";

export type Topic = EventType extends `${infer Resource}.${string}` ? Resource : never;

/** Called with each event; with undefined after the stream opens or fails, when anything may have changed. */
type Listener = (event: Event | undefined) => void;

const ADDRESS = "/console/api/events";
/** Delay before the first attempt to reopen a stream that the server has refused. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 60_000;

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let retryMs = RETRY_MIN_MS;

/** Opens a tab's only event stream, or closes it if hidden or signed out: a browser has six connections to a host. */
function openOrClose() {
  clearTimeout(retry);
  // Read before any return, so that the effect runs again when it changes.
  const isSignedIn = account.value !== undefined;
  if (document.hidden || !isSignedIn) {
    source?.close();
    source = undefined;
    return;
  }
  if (source !== undefined) return;
  const opened = new EventSource(ADDRESS);
  source = opened;
  opened.onopen = () => {
    retryMs = RETRY_MIN_MS;
    tell(undefined);
  };
  for (const type of Object.keys(TYPE_WORDS))
    opened.addEventListener(type, ({ data }) => tell(readJson(data) as Event));
  opened.onerror = () => {
    // Unless it is closed, the browser reopens it by itself, after the last event.
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    source = undefined;
    // Listeners read everything again, and learn from a 401 if the session has ended.
    tell(undefined);
    retry = setTimeout(openOrClose, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
}

function tell(event: Event | undefined) {
  for (const listener of listeners) listener(event);
}

export function startLive(): void {
  document.addEventListener("visibilitychange", openOrClose);
  effect(openOrClose);
}

/** Delay before a listener's call, in milliseconds, to collect the events of one change. */
const GATHER_MS = 50;
/** Minimum interval between a listener's calls, in milliseconds: a busy store has hundreds of events a second. */
const CALL_INTERVAL_MS = 500;

/** Maximum number of events in a listener's call; with more, it gets undefined: anything may have changed. */
const GATHERED_MAX = 200;

export type Changes = readonly Event[] | undefined;

/** Calls `onChange` with the events of these topics: one call at a time, then none for `intervalMs`. */
export function useLive(
  topics: readonly Topic[],
  onChange: (changes: Changes) => Promise<void>,
  intervalMs = CALL_INTERVAL_MS,
): void {
  const latest = useRef(onChange);
  latest.current = onChange;

  useEffect(() => {
    let gathered: Event[] = [];
    let isUnknown = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function pass() {
      const changes = isUnknown ? undefined : gathered;
      gathered = [];
      isUnknown = false;
      if (changes?.length === 0) {
        timer = undefined;
        return;
      }
      const mine = timer;
      await latest.current(changes).catch(() => {});
      // Unless the component has been unmounted.
      if (timer === mine) timer = setTimeout(pass, intervalMs);
    }
    function listen(event: Event | undefined) {
      if (event === undefined || gathered.length >= GATHERED_MAX) isUnknown = true;
      else if (topics.some((topic) => event.type.startsWith(`${topic}.`))) gathered.push(event);
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
