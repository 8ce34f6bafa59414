import type { DeliveryAttempt } from "../../../attempts/contract.ts";
import { Timestamp } from "./timestamp.tsx";

export function Attempts({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  return (
    <ul class="plain">
      {attempts.map((attempt, index) => (
        <li key={index} class="breakable">
          {attempt.status ?? attempt.error} in {attempt.durationMs.toLocaleString()} ms ·{" "}
          <Timestamp at={attempt.time} precision="ago" />
        </li>
      ))}
    </ul>
  );
}
