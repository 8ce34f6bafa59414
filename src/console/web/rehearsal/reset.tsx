import type { FixtureName, Reset } from "../../../rehearsal/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { call } from "../request.ts";

const FIXTURES: readonly (readonly [FixtureName, string])[] = [
  ["shop", "Take everything away and add a small shop"],
  ["10000", "Take everything away and add 10,000 animals"],
  ["empty", "Take everything away and add nothing"],
];

/** What staging can start over with. */
export function ResetCard() {
  return (
    <section class="card wide" aria-labelledby="reset-heading">
      <h2 id="reset-heading">Start over</h2>
      <p>
        Every animal, category, order, event and delivery of staging goes, and what is known under an
        Idempotency-Key. What is added has the same identifiers every time. People, keys, webhooks, messages
        and the test clock stay.
      </p>
      <div class="stack">
        {FIXTURES.map(([fixture, label]) => (
          <ConfirmButton
            key={fixture}
            class="secondary"
            label={label}
            failure="Staging is as it was."
            isOffered
            action={() => startOver(fixture)}
          >
            {label}
          </ConfirmButton>
        ))}
      </div>
    </section>
  );
}

async function startOver(fixture: FixtureName): Promise<void> {
  const { pets } = await call<Reset>("POST", "/test/reset", { body: { fixture } });
  announce(`Staging starts over, with ${pets.toLocaleString()} animals`);
}
