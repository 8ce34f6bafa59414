import { useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import {
  account,
  addressAfterSignIn,
  isOwner,
  loadSession,
  mayChange,
  offer,
  SIGN_IN_PATHS,
  session,
  sessionError,
} from "./account/session.ts";
import { Announcements } from "./components/announce.tsx";
import { ErrorAlert } from "./components/error-alert.tsx";
import { lazy } from "./components/lazy.tsx";
import { Screen } from "./components/screen.tsx";
import { REHEARSAL } from "./environment.tsx";
import { Pets } from "./pets/pets.tsx";
import { SalesElsewhere } from "./pets/sell-button.tsx";
import { navigate, route } from "./router.ts";
import { Brand, Sidebar } from "./sidebar.tsx";

// Screens load at their first visit, except `Pets`, which staff keep open all day.
const EditPet = lazy(async () => (await import("./pets/edit-pet.tsx")).EditPet);
const NoScreen = lazy(async () => (await import("./no-screen.tsx")).NoScreen);
const SignIn = lazy(async () => (await import("./account/credentials-form.tsx")).SignIn);
const StagingBanner = lazy(async () => (await import("./rehearsal/rehearsal.tsx")).StagingBanner);
const WebhookScreen = lazy(async () => (await import("./webhooks/webhook.tsx")).WebhookScreen);

const SCREENS: Readonly<Record<string, ComponentType>> = {
  "/": lazy(async () => (await import("./overview/overview.tsx")).Overview),
  "/animals": Pets,
  "/animals/new": lazy(async () => (await import("./pets/add-pet.tsx")).AddPet),
  "/animals/import": lazy(async () => (await import("./files/import-screen.tsx")).ImportScreen),
  "/categories": lazy(async () => (await import("./categories/categories.tsx")).Categories),
  "/orders": lazy(async () => (await import("./orders/orders.tsx")).Orders),
  "/messages": lazy(async () => (await import("./messages/messages.tsx")).Messages),
  "/keys": lazy(async () => (await import("./keys/keys.tsx")).Keys),
  "/developers": lazy(async () => (await import("./developers/developers.tsx")).Developers),
  "/deprecated-calls": lazy(
    async () => (await import("./developers/deprecated-calls.tsx")).DeprecatedCallsScreen,
  ),
  "/account": lazy(async () => (await import("./account/account.tsx")).AccountScreen),
  "/webhooks": lazy(async () => (await import("./webhooks/webhooks.tsx")).Webhooks),
  "/people": lazy(async () => (await import("./people/people.tsx")).People),
  "/audit": lazy(async () => (await import("./audit/audit.tsx")).Audit),
  "/invitation": lazy(async () => (await import("./account/one-time-links.tsx")).Invitation),
  "/reset-password": lazy(async () => (await import("./account/one-time-links.tsx")).ResetPassword),
  "/sign-in": SignIn,
  "/sign-up": lazy(async () => (await import("./account/credentials-form.tsx")).SignUp),
  [REHEARSAL]: lazy(async () => (await import("./rehearsal/rehearsal.tsx")).Rehearsal),
};

const FOR_STRANGERS: readonly string[] = ["/sign-up", "/invitation", "/reset-password"];
const FOR_STAFF: readonly string[] = ["/animals/new", "/animals/import", REHEARSAL];
const FOR_OWNERS = /^\/(people|audit|webhooks)\b/;

export function App() {
  useSignalEffect(() => {
    const isOnSignInPage = SIGN_IN_PATHS.includes(route.value.path);
    if (account.value !== undefined && isOnSignInPage) navigate(addressAfterSignIn(), { replace: true });
  });
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <EnvironmentBanner />
      <Frame />
      <SalesElsewhere />
      <Announcements />
    </>
  );
}

function Frame() {
  if (session.value === undefined) return <Connecting />;
  if (account.value === undefined) return <SignedOut />;
  const Offer = offer.value;
  return (
    <div class="frame">
      <Sidebar />
      <main id="main" tabIndex={-1}>
        {Offer && <Offer />}
        <CurrentScreen />
      </main>
    </div>
  );
}

function SignedOut() {
  const { path } = route.value;
  const Form = FOR_STRANGERS.includes(path) ? (SCREENS[path] ?? SignIn) : SignIn;
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <Brand />
      <Form key={path} />
    </main>
  );
}

function Connecting() {
  const error = sessionError.value;
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <Brand />
      {error === undefined ? (
        <p class="loading">Connecting…</p>
      ) : (
        <Screen title="No connection">
          <ErrorAlert error={error}>
            <button type="button" onClick={() => void loadSession()}>
              Try again
            </button>
          </ErrorAlert>
        </Screen>
      )}
    </main>
  );
}

function CurrentScreen() {
  const { path } = route.value;
  // The effect of `App` leads on; its first run may come after this.
  if (SIGN_IN_PATHS.includes(path)) return null;
  if (FOR_OWNERS.test(path) && !isOwner.value) return <NoScreen who="owners" />;
  if (FOR_STAFF.includes(path) && !mayChange.value) return <NoScreen who="staff and owners" />;
  const Named = SCREENS[path];
  if (Named !== undefined) return <Named key={path} />;
  const [, list, id = ""] = /^\/(animals|webhooks)\/([^/]+)$/.exec(path) ?? [];
  if (list === "animals") return <EditPet key={path} id={id} />;
  if (list === "webhooks") return <WebhookScreen key={path} id={id} />;
  return <NoScreen />;
}

function EnvironmentBanner() {
  return (
    session.value?.environment === "staging" && (
      <aside class="staging-banner" aria-label="Environment">
        <StagingBanner />
      </aside>
    )
  );
}
