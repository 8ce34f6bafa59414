import { useEffect } from "preact/hooks";
import { mayChange, session } from "../account/session.ts";
import { Screen } from "../components/screen.tsx";
import { Snippet } from "../components/snippet.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { ConsoleLink, REHEARSAL } from "../environment.tsx";
import { route } from "../router.ts";
import { loadTestClock, testClock } from "./clock-state.ts";
import { ResetCard } from "./reset.tsx";
import { TestClockCard } from "./test-clock.tsx";

/** What staging alone has, to try what a program does before it matters. */
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

/** Says which environment this is, and when its clock shows another time. */
export function StagingBanner() {
  const isStaff = mayChange.value;
  const { navigations, path } = route.value;
  useEffect(() => {
    // The strip stays as it was where that fails: the page itself says why.
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
