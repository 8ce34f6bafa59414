import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FixtureName, Reset, TestClock } from "../../../rehearsal/contract.ts";
import { mayChange, session } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Snippet } from "../components/snippet.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { ConsoleLink, REHEARSAL } from "../environment.tsx";
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

export function StagingBanner() {
  const isStaff = mayChange.value;
  const { navigations, path } = route.value;
  useEffect(() => {
    // After a failure the banner stays unchanged: the page itself shows the error.
    if (isStaff) loadTestClock().catch(() => {});
  }, [isStaff, navigations]);
  return (
    <>
      <p>
        <strong>Staging.</strong> Test data: nothing here reaches production. <ConsoleLink to="production" />
        {isStaff && path !== REHEARSAL && (
          <>
            {" "}
            <a href={REHEARSAL}>Rehearsal</a>
          </>
        )}
      </p>
      {isStaff && testClock.value?.moved && (
        <p>
          <strong>The test clock is moved:</strong> it shows <Timestamp at={testClock.value.now} />.
        </p>
      )}
    </>
  );
}

const FIXTURES: readonly (readonly [FixtureName, string])[] = [
  ["shop", "Take everything away and add a small shop"],
  ["empty", "Take everything away and add nothing"],
];

function ResetCard() {
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

async function startOver(fixture: FixtureName) {
  const { pets } = await call<Reset>("POST", "/test/reset", { body: { fixture } });
  announce(`Staging starts over, with ${pets.toLocaleString()} animals`);
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
        <ActionButton class="secondary" failure="The clock was not moved." action={() => move(later)}>
          One day on
        </ActionButton>
        <ActionButton class="secondary" failure="The clock is still moved." action={back}>
          Bring it back
        </ActionButton>
      </div>
    </>
  );
}

async function move(now: string) {
  await setTestClock(now);
  announce("The test clock is moved");
}

async function back() {
  await setTestClock(null);
  announce("The test clock shows the real time");
}

function MoveClock() {
  const form = useForm<"date">({
    id: "test-clock",
    initial: { date: "" },
    isSecret: true,
    check: ({ date }) => (date === "" ? { date: "is required" } : {}),
    async send({ date }) {
      await move(`${date}T00:00:00Z`);
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
}
