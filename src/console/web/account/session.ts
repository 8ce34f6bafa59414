import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import type { AccountView, SessionView } from "../../../accounts/contract.ts";
import { claimDrafts, deleteAllDrafts } from "../components/draft.ts";
import { completeSales } from "../pets/sales.ts";
import { call, setSignedOutListener } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { navigate, route } from "../router.ts";

export const session = signal<SessionView | undefined>(undefined);
export const sessionError = signal<PetstoreError | undefined>(undefined);
export const account = computed(() => session.value?.account ?? undefined);
export const mayChange = computed(() => account.value !== undefined && account.value.role !== "viewer");
/** Reason for signing in, shown on the sign-in page until the person has signed in. */
export const signInReason = signal("");
export const isOwner = computed(() => account.value?.role === "owner");

/** Component that offers to add a passkey, above every screen until the person accepts or declines. */
export const offer = signal<ComponentType | undefined>(undefined);

export const SIGN_IN_PATHS: readonly string[] = ["/sign-in", "/sign-up"];
const LINK_PATHS: readonly string[] = ["/invitation", "/reset-password"];

export async function loadSession(): Promise<void> {
  sessionError.value = undefined;
  try {
    const loaded = await call<SessionView>("GET", "/session");
    document.documentElement.dataset["environment"] = loaded.environment;
    signInAs(loaded.account, loaded);
    const isForStrangers = SIGN_IN_PATHS.includes(route.value.path) || LINK_PATHS.includes(route.value.path);
    if (loaded.account === null && !isForStrangers) askToSignIn();
  } catch (error) {
    sessionError.value = toPetstoreError(error);
  }
}

export function signInAs(who: AccountView | null, current: SessionView | undefined = session.value): void {
  if (current === undefined) return;
  if (who !== null) {
    claimDrafts(who.email);
    signInReason.value = "";
  }
  session.value = { ...current, account: who };
}

/** Address to open after sign-in: `next`, if it is a path of this console, because anyone can send a link with `next`. */
export function addressAfterSignIn(): string {
  const next = route.value.query.get("next") ?? "/";
  return /^\/(?!\s*[/\\])/.test(next) ? next : "/";
}

export async function signOut(): Promise<void> {
  await completeSales();
  await call("DELETE", "/session");
  endSession("You are signed out.");
}

/** Shows the sign-in page, and deletes the account's drafts from this tab. */
export function endSession(message: string): void {
  deleteAllDrafts();
  signInAs(null);
  navigate("/sign-in", { replace: true });
  signInReason.value = message;
}

setSignedOutListener(() => {
  if (account.value === undefined) return;
  signInAs(null);
  askToSignIn();
  signInReason.value = "Your session has ended. Sign in to continue: what you typed is kept.";
});

function askToSignIn() {
  const { path, query } = route.value;
  const address = query.size === 0 ? path : `${path}?${query}`;
  navigate(address === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(address)}`, { replace: true });
}
