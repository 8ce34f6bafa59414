import { session } from "./account/session.ts";

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

export function EnvironmentBadge() {
  const isStaging = session.value?.environment === "staging";
  return <span class={isStaging ? "badge staging" : "badge"}>{isStaging ? "Staging" : "Production"}</span>;
}

/** The way to the console of another environment, where that is known. */
export function ConsoleLink({ to }: { readonly to: "production" | "staging" }) {
  const other = session.value?.consoles.find(({ environment }) => environment === to);
  return other ? <a href={other.url}>Go to {to}</a> : null;
}
