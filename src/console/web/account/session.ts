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
/** The localStorage key for the person's role. The role lets the next page show its navigation before the session is loaded. */
const ROLE = "role";
/** The localStorage key that says that the session began with a sign-in at the provider. */
export const PROVIDER = "provider";
const lastRole = browserStorage.getItem(ROLE) as AccountView["role"] | null;
export const role = computed(
  () => (session.value === undefined ? lastRole : account.value?.role) ?? undefined,
);
export const mayChange = computed(() => role.value === "staff" || role.value === "owner");
/** The reason why the person has to sign in. The sign-in page shows it until the person has signed in. */
export const signInReason = signal("");
export const isOwner = computed(() => role.value === "owner");

/** The component that offers to add a passkey. It is shown above every screen until the person accepts or declines the offer. */
export const offer = signal<ComponentType | undefined>(undefined);

export const SIGN_IN_PATHS: readonly string[] = ["/sign-in", "/sign-up"];

/** Returns true if the page at this path can be opened without signing in. */
export function isOutside(path: string): boolean {
  return [...SIGN_IN_PATHS, "/sign-in/return", "/invitation", "/reset-password"].includes(path);
}

/**
 * Reads the session. Called after a sign-in, and whenever another tab or an owner may have changed or ended the session.
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

/** Reads the session again. If this fails, the page keeps the session that it has already read. */
export function loadSession(): Promise<void> {
  return readSession().catch(() => {});
}

function forgetAccount(): void {
  browserStorage.removeItem(PROVIDER);
  browserStorage.removeItem(ROLE);
  if (session.value !== undefined) session.value = { ...session.value, account: null };
}

/**
 * Returns the address to open after the sign-in. The query parameter `next` is used only if it is a path of this console, because
 * anybody can send people a link with any `next`.
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

/** Asks the person to sign in again, because the session was ended elsewhere. */
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
