import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { formatNumber } from "../format.ts";
import { Timestamp } from "./timestamp.tsx";

/** Attempts to deliver a message or an event, newest first, below the time of the next one. */
export function Attempts({ attempts, nextAttemptAt }: Pick<Delivery, "attempts" | "nextAttemptAt">) {
  return attempts.length === 0 && nextAttemptAt === undefined ? (
    <>None</>
  ) : (
    <ul class="plain">
      {nextAttemptAt !== undefined && (
        <li>
          Next: <Timestamp at={nextAttemptAt} />
        </li>
      )}
      {attempts.map((attempt, index) => (
        <li key={index} class="breakable">
          {attempt.status ?? attempt.error} in {formatNumber(attempt.durationMs)} ms ·{" "}
          <Timestamp at={attempt.createdAt} precision="ago" />
        </li>
      ))}
    </ul>
  );
}
