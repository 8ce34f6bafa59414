import type { DeveloperNotices } from "../../contract.ts";
import { session } from "../account/session.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { countNotices, ProgramNoticeItems, useNotices } from "./program-notices.tsx";

export function Developers() {
  return (
    <Screen title="Developers">
      <section class="card" aria-labelledby="connect-heading">
        <h2 id="connect-heading">Connect a program</h2>
        <p>
          The API is at <code class="breakable">{session.value?.api}</code>. A program needs an{" "}
          <a href="/keys">API key</a>. In the <a href="/docs">API reference</a>, you can read about every call
          and try it.
        </p>
      </section>
      <section class="card" aria-labelledby="attention-heading">
        <h2 id="attention-heading">Needs attention</h2>
        <Loading loaded={useNotices()} what="what needs attention">
          {(notices) => <NoticeList {...notices} />}
        </Loading>
      </section>
    </Screen>
  );
}

function NoticeList(notices: DeveloperNotices) {
  const called = notices.deprecated
    .map((one) => ({ ...one, calls: one.callers.reduce((sum, { calls }) => sum + calls, one.otherCalls) }))
    .filter(({ calls }) => calls > 0);
  if (countNotices(notices) + called.length === 0) return <p class="muted">Nothing needs attention.</p>;
  return (
    <ul class="events">
      <ProgramNoticeItems notices={notices} />
      {called.map(({ operation, sunset, calls }) => (
        <li key={operation}>
          {operation} will be removed on <Timestamp at={sunset} precision="day" />:{" "}
          <a href="/deprecated-calls">
            {formatNumber(calls)} {calls === 1 ? "call" : "calls"}
          </a>{" "}
          so far.
        </li>
      ))}
    </ul>
  );
}
