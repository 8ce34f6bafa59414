import type { DeliveryAttempt, DeliveryStatus } from "../../../client/src/client.ts";
import type { Colour } from "../terminal/table.ts";

const COLOURS: Record<DeliveryStatus, Colour> = {
  queued: "yellow",
  delivered: "green",
  failed: "bold",
  dropped: "faint",
};

/** Table headings and cells that are the same for messages and webhook deliveries. */
export const PROGRESS_HEADINGS = { nextAttemptAt: "NEXT ATTEMPT", attempts: "ATTEMPTS" } as const;
export const PROGRESS_CELLS = {
  status: (status: DeliveryStatus) => ({ text: status, colour: COLOURS[status] }),
  attempts: ([last, ...others]: readonly DeliveryAttempt[]) =>
    last === undefined ? "" : `${others.length + 1}: ${last.status ?? last.error} in ${last.durationMs} ms`,
};
