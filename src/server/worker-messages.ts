import type { Channel } from "../storage/change-feed.ts";

/** The messages from a worker process to its supervisor. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  /** `sentAt` is by the worker's `performance.now()`; the answer has it again. `timeline` is the newest that the worker has seen. */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly timeline: number }
  | { readonly kind: "metrics"; readonly metrics: object };

/** The messages from a supervisor to its worker processes. */
export type SupervisorMessage =
  | { readonly kind: "metrics" }
  /** Every change that was committed more than `ageMs` ago, when this was sent, has been forwarded. */
  | { readonly kind: "heartbeat"; readonly sentAt: number; readonly ageMs: number }
  | { readonly kind: "change"; readonly channel: Channel; readonly payload?: string | undefined };
