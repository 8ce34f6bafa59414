import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { useLoad } from "../use-load.ts";
import { bringBack, loadTestClock, setTestClock, testClock } from "./clock-state.ts";

const DAY_MS = 86_400_000;

/** What the test clock shows, and how it is moved and brought back. */
export function TestClockCard() {
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

async function move(now: string): Promise<void> {
  await setTestClock(now);
  announce("The test clock is moved");
}

async function back(): Promise<void> {
  await bringBack();
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
      return undefined;
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
