import { FEED_HEARTBEAT_MS } from "../limits.ts";
import { type ChangeSource, type Channel, feedOf, type OnChange } from "../storage/change-feed.ts";
import type { SupervisorMessage, WorkerMessage } from "./worker-process.ts";

interface ForwardedChanges extends ChangeSource {
  receive(message: Exclude<SupervisorMessage, { kind: "metrics" }>): void;
}

/**
 * The changes that a supervisor receives for its workers: one LISTEN connection for all of them. The worker's heartbeats,
 * which the supervisor answers, also tell the supervisor that the worker's event loop runs.
 *
 * @param timeline the newest that this process has seen: the supervisor's changes count from there on
 * @param send returns at once, also when the supervisor is gone
 */
export function createForwardedChanges(
  timeline: () => number,
  send: (message: WorkerMessage) => void,
): ForwardedChanges {
  const subscriptions = new Set<{ readonly channel: Channel; readonly onChange: OnChange }>();
  let receivedUpTo = Number.NEGATIVE_INFINITY;
  const beat = () => send({ kind: "heartbeat", sentAt: performance.now(), timeline: timeline() });
  // Until the process ends: the supervisor kills a worker that is silent.
  setInterval(beat, FEED_HEARTBEAT_MS);
  beat();

  const changes: ForwardedChanges = {
    receive(message) {
      if (message.kind === "heartbeat") {
        // The answer is younger than the question: both processes have clocks of their own.
        receivedUpTo = Math.max(receivedUpTo, message.sentAt - message.ageMs);
        return;
      }
      if (message.payload === undefined) receivedUpTo = Number.NEGATIVE_INFINITY;
      for (const { channel, onChange } of subscriptions)
        if (channel === message.channel) onChange(message.payload);
    },
    async subscribe(channel, onChange) {
      const subscription = { channel, onChange };
      subscriptions.add(subscription);
      onChange(undefined);
      return feedOf(changes, subscriptions, subscription);
    },
    receivedUpTo: () => receivedUpTo,
    async close() {
      subscriptions.clear();
    },
  };
  return changes;
}
