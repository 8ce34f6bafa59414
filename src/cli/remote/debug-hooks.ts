import type { Hooks } from "../../../client/src/hooks.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus } from "../terminal/output.ts";

export interface DebugOption {
  readonly debug?: true;
}

/** With `--debug`: a line for each answer and each repetition, on standard error. No header is printed: one of them has the key. */
export function debugHooks({ debug }: DebugOption): Hooks {
  if (!debug) return {};
  const report = (text: string) =>
    printStatus(`debug: ${formatTime(systemClock.now())} ${escapeControls(text)}`);
  return {
    onAnswer({ status, requestId, durationMs, request: { method, address, attempt } }) {
      const id = requestId === "" ? "" : ` (request ${requestId})`;
      report(`${method} ${address}: ${status}${id} after ${Math.round(durationMs)} ms, try ${attempt}`);
    },
    onRetry({ delayMs, request: { method, address, attempt } }) {
      report(`${method} ${address}: try ${attempt} failed, again in ${Math.round(delayMs)} ms`);
    },
  };
}
