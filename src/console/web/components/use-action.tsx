import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { toPetstoreError } from "../request-error.ts";

interface Action {
  readonly isBusy: boolean;
  /** Why the last run failed, until it is dismissed or run again. */
  readonly problem: VNode | false;
  run(): Promise<void>;
}

/** @param failure shown before the error's message: `You are still signed in.` */
export function useAction(failure: string, action: () => Promise<void>): Action {
  const isBusy = useSignal(false);
  const problem = useSignal("");
  async function run(): Promise<void> {
    isBusy.value = true;
    problem.value = "";
    try {
      await action();
    } catch (error) {
      problem.value = `${failure} ${toPetstoreError(error).message}`;
    }
    isBusy.value = false;
  }
  function dismiss(): void {
    problem.value = "";
  }
  return {
    isBusy: isBusy.value,
    problem: problem.value !== "" && (
      <span class="problem">
        <span role="alert" dir="auto">
          {problem}
        </span>{" "}
        <button type="button" class="link" onClick={dismiss}>
          Dismiss
        </button>
      </span>
    ),
    run,
  };
}
