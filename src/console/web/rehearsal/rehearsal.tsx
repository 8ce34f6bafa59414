import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FixtureName, Reset, TestClock } from "../../../rehearsal/contract.ts";
import { session } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Snippet } from "../components/snippet.tsx";
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
            A request with the header Petstore-Simulate gets the error that it names, for as many times as it
            says: a retry can be watched. <code>delay=2000</code> answers late, and <code>lose-answer</code>{" "}
            cuts the connection once the change is made.
          </p>
          <Snippet
            id="simulate-command"
            heading="Two failures, then the answer"
            what="the command"
            text={`curl -i ${session.value?.api}/pets -H "Authorization: Bearer $PETSTORE_KEY" -H "Petstore-Simulate: unavailable; times=2"`}
          />
        </section>
      </div>
    </Screen>
  );
}

/** Says on every screen that the test clock is moved. */
export function TestClockNote() {
  const { navigations } = route.value;
  useEffect(() => {
    // After a failure the note stays unchanged: the page itself shows the error.
    loadTestClock().catch(() => {});
  }, [navigations]);
  if (!testClock.value?.moved) return null;
  return (
    <p>
      <strong>The test clock is moved:</strong> it shows <Timestamp at={testClock.value.now} />.
    </p>
  );
}

const FIXTURES = { shop: "and add a small shop", empty: "and add nothing" };

function ResetCard() {
  const asked = useSignal<FixtureName | undefined>(undefined);
  function ask(fixture?: FixtureName) {
    asked.value = fixture;
  }
  return (
    <section class="card wide" aria-labelledby="reset-heading">
      <h2 id="reset-heading">Start over</h2>
      <p>
        Every animal, category, order, event and delivery of staging goes, and what is known under an
        Idempotency-Key. What is added has the same identifiers every time. People, keys, webhooks, messages
        and the test clock stay.
      </p>
      <div class="actions">
        <button type="button" class="secondary" onClick={() => ask("shop")}>
          Take everything away {FIXTURES.shop}…
        </button>
        <button type="button" class="secondary" onClick={() => ask("empty")}>
          Take everything away {FIXTURES.empty}…
        </button>
      </div>
      {asked.value && (
        <DeleteDialog
          title={`Take everything away ${FIXTURES[asked.value]}?`}
          send={() => call<Reset>("POST", "/test/reset", { body: { fixture: asked.value } })}
          outcome="Staging starts over"
          confirmLabel="Start over"
          cancelLabel="Keep everything"
          onDeleted={() => {}}
          onClose={() => ask()}
        >
          <p>This cannot be undone.</p>
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
        Try what happens on a date: when getPet is removed, or when an Idempotency-Key is forgotten. Keys,
        sessions, events and deliveries stay with the real time.
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
  if (!clock.moved) return <p>It shows the real time.</p>;
  const later = new Date(Date.parse(clock.now) + DAY_MS).toISOString();
  return (
    <>
      <p>
        It shows <Timestamp at={clock.now} />, and runs on. The real time is <Timestamp at={clock.realNow} />.
      </p>
      <div class="actions">
        <ActionButton class="secondary" failure="The clock was not moved." action={() => setTestClock(later)}>
          One day on
        </ActionButton>
        <ActionButton class="secondary" failure="The clock is still moved." action={() => setTestClock(null)}>
          Bring it back
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
        hint="Its first moment in UTC. getPet is removed on 5 December 2030."
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
  announce(now === null ? "The test clock shows the real time" : "The test clock is moved");
}
