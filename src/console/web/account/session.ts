import { computed, signal } from "@preact/signals";
import type { AccountView, SessionView } from "../../../accounts/contract.ts";
import { announce } from "../components/announce.tsx";
import { forgetDrafts, ownDrafts } from "../components/draft.ts";
import { asFailure, type RequestFailure } from "../failure.ts";
import { call, whenSignedOut } from "../request.ts";
import { navigate, place } from "../router.ts";

export const session = signal<SessionView | undefined>(undefined);
export const sessionFailure = signal<RequestFailure | undefined>(undefined);
export const account = computed(() => session.value?.account ?? undefined);

/** Pages for people who are not signed in. */
export const DOORS: readonly string[] = ["/sign-in", "/sign-up"];

export async function loadSession(): Promise<void> {
  sessionFailure.value = undefined;
  try {
    const loaded = await call<SessionView>("GET", "/session");
    document.documentElement.dataset["environment"] = loaded.environment;
    signInAs(loaded.account, loaded);
    if (loaded.account === null && !DOORS.includes(place.value.path)) askToSignIn();
  } catch (error) {
    sessionFailure.value = asFailure(error);
  }
}

export function signInAs(who: AccountView | null, current: SessionView | undefined = session.value): void {
  if (current === undefined) return;
  if (who !== null) ownDrafts(who.email);
  session.value = { ...current, account: who };
}

/** Where a sign-in leads: back to where it was asked for. Only addresses of this console count. */
export function addressAfterSignIn(): string {
  const next = place.value.query.get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

export async function signOut(): Promise<void> {
  await call("DELETE", "/session");
  leave("You are signed out.");
}

/** The account is no longer ours: nothing of it stays in this browser. */
export function leave(message: string): void {
  forgetDrafts();
  signInAs(null);
  navigate("/sign-in", { replace: true });
  announce(message);
}

whenSignedOut(() => {
  if (account.value === undefined) return;
  signInAs(null);
  askToSignIn();
  announce("You were signed out meanwhile. What you typed is kept: sign in to go on.");
});

function askToSignIn(): void {
  const { path, query } = place.value;
  const address = query.size === 0 ? path : `${path}?${query}`;
  navigate(address === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(address)}`, { replace: true });
}
