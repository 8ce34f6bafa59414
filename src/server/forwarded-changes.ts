import { FEED_HEARTBEAT_MS } from "../limits.ts";
import { type ChangeFeed, type Channel, type OnChange, subscriptionOf } from "../storage/change-feed.ts";
import type { SupervisorMessage, WorkerMessage } from "./worker-process.ts";

interface ForwardedChangeFeed extends ChangeFeed {
  receive(message: Exclude<SupervisorMessage, { kind: "metrics" }>): void;
}

/**
 * Creates the change feed of a worker process. The supervisor forwards all changes, so that the workers share one LISTEN
 * connection. The worker sends heartbeats, which show that its event loop is running, and the supervisor answers them.
 *
 * @param timeline returns the newest timeline of the database's log that this process has seen; the supervisor must have seen that
 * timeline or a newer one
 * @param send sends a heartbeat; it must return immediately, even if the supervisor no longer exists
 */
export function createForwardedChangeFeed(
  timeline: () => number,
  send: (message: WorkerMessage) => void,
): ForwardedChangeFeed {
  const subscriptions = new Set<{ readonly channel: Channel; readonly onChange: OnChange }>();
  let receivedUpTo = Number.NEGATIVE_INFINITY;
  const beat = () => send({ kind: "heartbeat", sentAt: performance.now(), timeline: timeline() });
  // The timer for heartbeats never stops, because the supervisor kills a worker that sends no heartbeats.
  setInterval(beat, FEED_HEARTBEAT_MS);
  beat();

  const changes: ForwardedChangeFeed = {
    receive(message) {
      if (message.kind === "heartbeat") {
        // The supervisor's message contains an age and not a time, because the monotonic clocks of two processes cannot be
        // compared.
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
      return subscriptionOf(changes, subscriptions, subscription);
    },
    receivedUpTo: () => receivedUpTo,
    async close() {
      subscriptions.clear();
    },
  };
  return changes;
}
