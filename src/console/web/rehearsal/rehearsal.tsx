import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FixtureName, Reset, TestClock } from "../../../rehearsal/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";

const DAY_MS = 86_400_000;
const PATH = "/test/clock";

export function Rehearsal() {
  return (
    <Screen title="Rehearsal">
      <div class="tiles">
        <TestClockCard />
        <ResetCard />
        <section class="card wide" aria-labelledby="simulate-heading">
          <h2 id="simulate-heading">Simulated errors</h2>
          <p>
            A request with the header <code>Petstore-Simulate: unavailable; times=2</code> fails twice, and
            then succeeds. The <a href="/docs#simulated-errors">API reference</a> lists all errors.
          </p>
        </section>
      </div>
    </Screen>
  );
}

/** A note on every screen that says that the test clock differs from the real time. */
export function TestClockNote() {
  const { navigations } = route.value;
  useEffect(() => {
    // If the test clock cannot be read, the note about it stays unchanged. The rehearsal page shows the error.
    loadTestClock().catch(() => {});
  }, [navigations]);
  if (!testClock.value?.moved) return null;
  return (
    <p>
      <strong>Staging uses a test clock.</strong> It shows <Timestamp at={testClock.value.now} />.
    </p>
  );
}

const FIXTURES: readonly (readonly [FixtureName, string])[] = [
  ["shop", "Reset to sample shop"],
  ["empty", "Reset to empty store"],
];

function ResetCard() {
  const asked = useDialog<(typeof FIXTURES)[number]>();
  const [fixture, action] = asked.subject ?? [];
  return (
    <section class="card wide" aria-labelledby="reset-heading">
      <h2 id="reset-heading">Reset staging</h2>
      <p>
        A reset removes every animal, category, order, event and delivery from staging, and forgets every
        Idempotency-Key. The sample shop always has the same identifiers. A reset keeps people, keys,
        webhooks, messages and the test clock.
      </p>
      <div class="actions">
        {FIXTURES.map((one) => (
          <button key={one[0]} type="button" class="secondary" onClick={() => asked.open(one)}>
            {one[1]}…
          </button>
        ))}
      </div>
      {fixture && (
        <DeleteDialog
          title={`${action}?`}
          send={() => call<Reset>("POST", "/test/reset", { body: { fixture } })}
          outcome="Staging was reset"
          confirmLabel="Reset staging"
          cancelLabel="Cancel"
          onDeleted={() => {}}
          onClose={asked.close}
        >
          <p>This can't be undone.</p>
        </DeleteDialog>
      )}
    </section>
  );
}

function TestClockCard() {
  const loaded = useLoad(loadTestClock);
  return (
    <section class="card wide" aria-labelledby="clock-heading">
      <h2 id="clock-heading">Test clock</h2>
      <p>
        See what happens on a certain date: for example, when getPet is removed, or when an Idempotency-Key
        expires. Keys, sessions, events and deliveries use the real time.
      </p>
      <Loading loaded={loaded} what="the test clock">
        {() => <Shown />}
      </Loading>
      <MoveClock />
    </section>
  );
}

function Shown() {
  const clock = testClock.value;
  if (clock === undefined) return null;
  if (!clock.moved) return <p>The test clock shows the real time.</p>;
  const later = new Date(Date.parse(clock.now) + DAY_MS).toISOString();
  return (
    <>
      <p>
        The test clock shows <Timestamp at={clock.now} />, and keeps running. The real time is{" "}
        <Timestamp at={clock.realNow} />.
      </p>
      <div class="actions">
        <ActionButton
          class="secondary"
          failure="The clock was not changed."
          action={() => setTestClock(later)}
        >
          +1 day
        </ActionButton>
        <ActionButton
          class="secondary"
          failure="The clock was not changed."
          action={() => setTestClock(null)}
        >
          Use real time
        </ActionButton>
      </div>
    </>
  );
}

function MoveClock() {
  const form = useForm<"date">({
    id: "test-clock",
    initial: { date: "" },
    isSecret: true,
    check: ({ date }) => (date === "" ? { date: "is required" } : {}),
    async send({ date }) {
      await setTestClock(`${date}T00:00:00Z`);
    },
  });
  return (
    <Form form={form} label="Set the test clock" submitLabel="Set the clock" busyLabel="Setting…">
      <TextField
        form={form}
        name="date"
        label="Date"
        type="date"
        hint="The clock is set to the start of this day (UTC). getPet will be removed on 5 December 2030."
      />
    </Form>
  );
}

const testClock = signal<TestClock | undefined>(undefined);

async function loadTestClock(): Promise<TestClock> {
  testClock.value = await call<TestClock>("GET", PATH);
  return testClock.value;
}

async function setTestClock(now: string | null) {
  testClock.value = await call<TestClock>("PUT", PATH, { body: { now } });
  announce(now === null ? "The test clock shows the real time" : "The test clock is set");
}
