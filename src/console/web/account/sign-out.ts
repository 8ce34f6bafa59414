import { call } from "../request.ts";
import { browserStorage } from "../storage.ts";
import { endSession, PROVIDER } from "./session.ts";

/** Signs the person out of the console and, if the session began with a sign-in at the provider, also out of the provider. */
export async function signOut(): Promise<void> {
  await call("DELETE", "/session");
  const isProviders = browserStorage.getItem(PROVIDER) !== null;
  endSession("You are signed out.");
  if (!isProviders) return;
  // Even if the provider cannot be reached, the person is signed out of the console.
  const end = await call<{ readonly url: string | null }>("GET", "/session/provider/end").catch(
    () => undefined,
  );
  if (end?.url) location.assign(end.url);
}
