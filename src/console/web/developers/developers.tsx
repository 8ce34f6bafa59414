import type { DeprecatedOperation, DeveloperNotices } from "../../contract.ts";
import { session } from "../account/session.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { countNotices, ProgramNoticeItems, useNotices } from "./program-notices.tsx";

export function Developers() {
  return (
    <Screen title="Developers">
      <div class="tiles">
        <section class="card wide" aria-labelledby="attention-heading">
          <h2 id="attention-heading">Needs attention</h2>
          <Loading loaded={useNotices()} what="what needs attention">
            {(notices) => <NoticeList {...notices} />}
          </Loading>
        </section>
        <section class="card wide" aria-labelledby="connect-heading">
          <h2 id="connect-heading">Connect a program</h2>
          <p>
            Its address is <code class="breakable">{session.value?.api}</code>. A program needs an{" "}
            <a href="/keys">API key</a>; the <a href="/docs">API reference</a> shows every call, and tries it.
          </p>
        </section>
      </div>
    </Screen>
  );
}

function NoticeList(notices: DeveloperNotices) {
  const called = notices.deprecated.filter(({ callers, otherCalls }) => callers.length > 0 || otherCalls > 0);
  if (countNotices(notices) + called.length === 0) return <p class="muted">Nothing needs attention.</p>;
  return (
    <ul class="events">
      <ProgramNoticeItems notices={notices} />
      {called.map((operation) => (
        <DeprecatedNotice key={operation.operation} {...operation} />
      ))}
    </ul>
  );
}

function DeprecatedNotice({ operation, sunset, callers, otherCalls }: DeprecatedOperation) {
  const calls = callers.reduce((sum, one) => sum + one.calls, otherCalls);
  return (
    <li>
      {operation} ends on <Timestamp at={sunset} precision="day" />:{" "}
      <a href="/deprecated-calls">
        {calls.toLocaleString()} {calls === 1 ? "call" : "calls"}
      </a>{" "}
      so far.
    </li>
  );
}
