import { useSignalEffect } from "@preact/signals";
import {
  account,
  addressAfterSignIn,
  isOutside,
  isOwner,
  mayChange,
  offer,
  readSession,
  role,
  SIGN_IN_PATHS,
  session,
} from "./account/session.ts";
import { Announcements } from "./components/announce.tsx";
import { useKeptScreen } from "./components/kept-screen.ts";
import { lazy } from "./components/lazy.tsx";
import { Loading } from "./components/loading.tsx";
import { Screen } from "./components/screen.tsx";
import { isStaging, REHEARSAL } from "./environment.ts";
import { accessTo } from "./navigation.ts";
import { SalesElsewhere } from "./pets/sell-button.tsx";
import { navigate, route } from "./router.ts";
import { Brand, Sidebar } from "./sidebar.tsx";
import { useLoad } from "./use-load.ts";

// The code of each screen is loaded when the person first visits the screen.
const NoScreen = lazy(async () => (await import("./no-screen.tsx")).NoScreen);
const PetPage = lazy(async () => (await import("./pets/pet-page.tsx")).PetPage);
const SignIn = lazy(async () => (await import("./account/sign-in.tsx")).SignIn);
const TestClockNote = lazy(async () => (await import("./rehearsal/rehearsal.tsx")).TestClockNote);
const WebhookScreen = lazy(async () => (await import("./webhooks/webhook.tsx")).WebhookScreen);

const SCREENS: Readonly<Record<string, ReturnType<typeof lazy<object>>>> = {
  "/": lazy(async () => (await import("./overview/overview.tsx")).Overview),
  "/activity": lazy(async () => (await import("./activity/activity.tsx")).Activity),
  "/animals": lazy(async () => (await import("./pets/pets.tsx")).Pets),
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
  "/sign-in/return": lazy(async () => (await import("./account/provider.tsx")).ProviderReturn),
  "/sign-up": lazy(async () => (await import("./account/sign-in.tsx")).SignUp),
  [REHEARSAL]: lazy(async () => (await import("./rehearsal/rehearsal.tsx")).Rehearsal),
};

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
  const { path } = route.value;
  const isKnown = session.value !== undefined;
  const Offer = offer.value;
  const screen = useKeptScreen();
  if (role.value === undefined || (!isKnown && SIGN_IN_PATHS.includes(path)))
    return (
      <main id="main" class="sign-in" tabIndex={-1}>
        <Brand />
        {isKnown ? <CurrentScreen /> : <Connecting />}
      </main>
    );
  return (
    <div class="frame">
      <Sidebar />
      <main key={path} ref={screen} id="main" tabIndex={-1}>
        {Offer && <Offer />}
        {isKnown ? <CurrentScreen /> : <Connecting />}
      </main>
    </div>
  );
}

/**
 * Loads the session and, at the same time, the code of the requested screen, because the person is probably allowed to open it.
 * Until both are loaded, the navigation is shown as on the previous visit.
 */
function Connecting() {
  const { path } = route.value;
  if (role.value !== undefined && !isOutside(path)) void SCREENS[path]?.preload();
  const loaded = useLoad(readSession);
  const content = <Loading loaded={loaded} what="the page" />;
  return loaded.error === undefined ? content : <Screen title="No connection">{content}</Screen>;
}

function CurrentScreen() {
  const { path } = route.value;
  const Named = SCREENS[path];
  if (account.value === undefined)
    return Named && isOutside(path) ? <Named key={path} /> : <SignIn key="/sign-in" />;
  // Shows nothing, because an effect of `App` opens a different page right after this rendering.
  if (SIGN_IN_PATHS.includes(path)) return null;
  const access = accessTo(path);
  if (access?.value === false) return <NoScreen who={access === isOwner ? "owners" : "staff and owners"} />;
  if (Named !== undefined) return <Named key={path} />;
  const [, list, id = ""] = /^\/(animals|webhooks)\/([^/]+)$/.exec(path) ?? [];
  if (list === "animals") return <PetPage key={path} id={id} />;
  if (list === "webhooks") return <WebhookScreen key={path} id={id} />;
  return <NoScreen />;
}

function EnvironmentBanner() {
  if (!isStaging) return null;
  return (
    <aside class="staging-banner" aria-label="Environment">
      <p>
        <strong>Staging.</strong> Test data: nothing here reaches production.{" "}
        {mayChange.value && <a href={REHEARSAL}>Rehearsal</a>}
      </p>
      {mayChange.value && <TestClockNote />}
    </aside>
  );
}
