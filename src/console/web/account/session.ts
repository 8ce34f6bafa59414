import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { AccountView, SessionView } from "../../../accounts/contract.ts";
import { claimDrafts, forgetTab } from "../components/draft.ts";
import { recentKey } from "../find/recent-key.ts";
import { call, setSignedOutListener } from "../request.ts";
import { navigate, route, withQuery } from "../router.ts";
import { browserStorage } from "../storage.ts";

export const session = signal<SessionView | undefined>(undefined);
export const account = computed(() => session.value?.account ?? undefined);
/** The localStorage key for the person's role. It lets the next page draw its frame before the session is loaded. */
const ROLE = "role";
/** The localStorage key that is set during a session that began with a sign-in at the provider. */
export const PROVIDER = "provider";
const lastRole = browserStorage.getItem(ROLE) as AccountView["role"] | null;
export const role = computed(
  () => (session.value === undefined ? lastRole : account.value?.role) ?? undefined,
);
export const mayChange = computed(() => role.value === "staff" || role.value === "owner");
/** The reason for signing in. It is shown on the sign-in page until the person has signed in. */
export const signInReason = signal("");
export const isOwner = computed(() => role.value === "owner");

/** The component that offers to add a passkey. It is shown above every screen until the person accepts or declines. */
export const offer = signal<ComponentType | undefined>(undefined);

export const SIGN_IN_PATHS: readonly string[] = ["/sign-in", "/sign-up"];

/** True for a page that needs no session. */
export function isOutside(path: string): boolean {
  return [...SIGN_IN_PATHS, "/sign-in/return", "/invitation", "/reset-password"].includes(path);
}

/**
 * Reads the session. This is done after signing in, and when another tab or an owner may have changed or ended the session.
 *
 * @throws PetstoreError
 */
export async function readSession(): Promise<void> {
  const loaded = await call<SessionView>("GET", "/session");
  const { account: who } = loaded;
  if (who === null && account.value !== undefined) return meetEnd();
  if (who !== null) {
    browserStorage.setItem(ROLE, who.role);
    claimDrafts(who.email);
    signInReason.value = "";
  }
  session.value = loaded;
  if (who !== null) return;
  forgetAccount();
  if (!isOutside(route.value.path)) askToSignIn();
}

/** Reads the session again. If this fails, the old session stays. */
export function loadSession(): Promise<void> {
  return readSession().catch(() => {});
}

function forgetAccount(): void {
  browserStorage.removeItem(PROVIDER);
  browserStorage.removeItem(ROLE);
  if (session.value !== undefined) session.value = { ...session.value, account: null };
}

/**
 * Returns the address to open after sign-in. This is `next` only if it is a path of this console, because anyone can send a link
 * with `next`.
 */
export function addressAfterSignIn(): string {
  const next = route.value.query.get("next");
  return next !== null && /^\/(?!\s*[/\\])/.test(next) ? next : "/";
}

/** Shows the sign-in page, and deletes everything that this browser has stored for the account. */
export function endSession(message: string): void {
  forgetTab();
  browserStorage.removeItem(recentKey(account.value?.email));
  forgetAccount();
  navigate("/sign-in", { replace: true });
  signInReason.value = message;
}

/** Asks the person to sign in again, because the session has ended elsewhere. */
function meetEnd() {
  if (account.value === undefined) return;
  forgetAccount();
  askToSignIn();
  signInReason.value = "Your session has ended. Sign in to continue. Your text is kept.";
}

setSignedOutListener(meetEnd);

function askToSignIn() {
  const address = withQuery();
  navigate(address === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(address)}`, { replace: true });
}
