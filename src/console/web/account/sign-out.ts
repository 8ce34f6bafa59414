import { call } from "../request.ts";
import { browserStorage } from "../storage.ts";
import { endSession, PROVIDER } from "./session.ts";

/** Signs out here and, if the provider has begun the session, there. */
export async function signOut(): Promise<void> {
  await call("DELETE", "/session");
  const isProviders = browserStorage.getItem(PROVIDER) !== null;
  endSession("You are signed out.");
  if (!isProviders) return;
  // A provider that is away does not keep anybody signed in here.
  const end = await call<{ readonly url: string | null }>("GET", "/session/provider/end").catch(
    () => undefined,
  );
  if (end?.url) location.assign(end.url);
}
