import { session } from "./session.ts";

/** Staging is told apart at a glance, and from everywhere. */
export function EnvironmentBanner() {
  const current = session.value;
  if (current?.environment !== "staging") return null;
  return (
    <aside class="staging-banner" aria-label="Environment">
      <p>
        <strong>Staging.</strong> Practice data: nothing here reaches production.{" "}
        <ConsoleLink to="production" />
      </p>
    </aside>
  );
}

/** The discreet sign of production, with the way to staging. */
export function EnvironmentBadge() {
  const current = session.value;
  if (current === undefined) return null;
  const isStaging = current.environment === "staging";
  return (
    <p class="environment">
      <span class="badge environment-badge">{isStaging ? "Staging" : "Production"}</span>{" "}
      {!isStaging && <ConsoleLink to="staging" />}
    </p>
  );
}

function ConsoleLink({ to }: { readonly to: string }) {
  const other = session.value?.consoles.find(({ environment }) => environment === to);
  return other ? <a href={other.url}>Go to {to}</a> : null;
}
