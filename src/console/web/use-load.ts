import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { PetstoreError } from "../../../client/src/errors.ts";
import { toPetstoreError } from "./request-error.ts";

/**
 * Loads a value when the component mounts, when one of the inputs changes, and when the browser is online again after a failure.
 *
 * @param load a function that returns the value; before it returns, it may call `show` with a partial value
 * @param initial the value to show until the first load has ended
 */
export function useLoad<Value>(
  load: (signal: AbortSignal, show: (part: Value) => void) => Promise<Value>,
  inputs: readonly string[] = [],
  initial?: Value,
) {
  const value = useSignal<Value | undefined>(initial);
  const error = useSignal<PetstoreError | undefined>(undefined);
  const isLoading = useSignal(true);
  /** The abort controller of the running load. It prevents a slow old response from replacing a newer one. */
  const current = useRef<AbortController | undefined>(undefined);

  const run = useCallback(async (aborter: AbortController) => {
    isLoading.value = true;
    function show(loaded: Value) {
      if (aborter.signal.aborted) return;
      value.value = loaded;
      error.value = undefined;
    }
    try {
      show(await load(aborter.signal, show));
    } catch (caught) {
      if (aborter.signal.aborted) return;
      error.value = toPetstoreError(caught);
    }
    if (!aborter.signal.aborted) isLoading.value = false;
  }, inputs);

  useEffect(() => {
    current.current = new AbortController();
    void run(current.current);
    return () => current.current?.abort();
  }, [run]);

  function reload() {
    current.current?.abort();
    current.current = new AbortController();
    return run(current.current);
  }
  const isOffline = error.value?.status === 0;
  // This is a layout effect, so that the listener is registered before the page is painted. The browser may be online again by
  // the time an ordinary effect runs.
  useLayoutEffect(() => {
    const online = new AbortController();
    if (isOffline) addEventListener("online", () => void reload(), { signal: online.signal });
    return () => online.abort();
  }, [run, isOffline]);

  return {
    /** The value that was loaded last. It stays the same during a reload. */
    value: value.value,
    error: error.value,
    isLoading: isLoading.value,
    reload,
    update(change: (current: Value) => Value) {
      if (value.value !== undefined) value.value = change(value.value);
    },
  };
}

export type Loaded<Value> = ReturnType<typeof useLoad<Value>>;
