import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { asFailure, type RequestFailure } from "./failure.ts";

export interface Loaded<Value> {
  /** What was read last; kept while it is read again. */
  readonly value: Value | undefined;
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  reload(): Promise<void>;
}

/** Reads something when a page opens, and again whenever one of the inputs changes. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly string[] = [],
): Loaded<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const failure = useSignal<RequestFailure | undefined>(undefined);
  const isLoading = useSignal(true);
  /** One reading at a time: what an older one finds out late is of no interest. */
  const current = useRef<AbortController | undefined>(undefined);

  const run = useCallback(async (aborter: AbortController) => {
    isLoading.value = true;
    try {
      const read = await load(aborter.signal);
      if (aborter.signal.aborted) return;
      value.value = read;
      failure.value = undefined;
    } catch (error) {
      if (aborter.signal.aborted) return;
      failure.value = asFailure(error);
    }
    isLoading.value = false;
  }, inputs);

  useEffect(() => {
    current.current = new AbortController();
    void run(current.current);
    return () => current.current?.abort();
  }, [run]);

  return {
    value: value.value,
    failure: failure.value,
    isLoading: isLoading.value,
    reload() {
      current.current?.abort();
      current.current = new AbortController();
      return run(current.current);
    },
  };
}
