import { useSignalEffect } from "@preact/signals";
import { AccountScreen } from "./account/account.tsx";
import { SignIn, SignUp } from "./account/credentials-form.tsx";
import {
  account,
  addressAfterSignIn,
  DOORS,
  loadSession,
  session,
  sessionFailure,
} from "./account/session.ts";
import { Categories } from "./categories/categories.tsx";
import { Announcements } from "./components/announce.tsx";
import { Empty } from "./components/empty.tsx";
import { FailureAlert } from "./components/failure-alert.tsx";
import { Screen } from "./components/screen.tsx";
import { EnvironmentBanner } from "./environment.tsx";
import { Keys } from "./keys/keys.tsx";
import { Messages } from "./messages/messages.tsx";
import { Orders } from "./orders/orders.tsx";
import { Overview } from "./overview/overview.tsx";
import { AddAnimal } from "./pets/add-pet.tsx";
import { EditAnimal } from "./pets/edit-pet.tsx";
import { Animals } from "./pets/pets.tsx";
import { navigate, place } from "./router.ts";
import { Brand, Sidebar } from "./sidebar.tsx";

const SCREENS: Readonly<Record<string, () => preact.JSX.Element | null>> = {
  "/": Overview,
  "/animals": Animals,
  "/animals/new": AddAnimal,
  "/categories": Categories,
  "/orders": Orders,
  "/messages": Messages,
  "/keys": Keys,
  "/account": AccountScreen,
  "/sign-in": SignIn,
  "/sign-up": SignUp,
};

export function App() {
  useSignalEffect(() => {
    const isAtDoor = DOORS.includes(place.value.path);
    if (account.value !== undefined && isAtDoor) navigate(addressAfterSignIn(), { replace: true });
  });
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <EnvironmentBanner />
      <Frame />
      <Announcements />
    </>
  );
}

function Frame() {
  if (session.value === undefined) return <Waiting />;
  if (account.value === undefined) return <AtTheDoor />;
  return (
    <div class="frame">
      <Sidebar />
      <main id="main" tabIndex={-1}>
        <CurrentScreen />
      </main>
    </div>
  );
}

function AtTheDoor() {
  const Door = place.value.path === "/sign-up" ? SignUp : SignIn;
  return (
    <main id="main" class="door" tabIndex={-1}>
      <Brand />
      <Door key={place.value.path} />
    </main>
  );
}

function Waiting() {
  const failure = sessionFailure.value;
  return (
    <main id="main" class="door" tabIndex={-1}>
      <Brand />
      {failure === undefined ? (
        <p class="loading">One moment…</p>
      ) : (
        <Screen title="No connection">
          <FailureAlert failure={failure}>
            <button type="button" onClick={() => void loadSession()}>
              Try again
            </button>
          </FailureAlert>
        </Screen>
      )}
    </main>
  );
}

function CurrentScreen() {
  const { path } = place.value;
  const Named = SCREENS[path];
  if (Named !== undefined) return <Named key={path} />;
  const [, id] = /^\/animals\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) return <EditAnimal key={path} id={id} />;
  return (
    <Screen title="Nothing here">
      <Empty title="There is no page at this address.">
        <p>
          Go to the <a href="/">overview</a>.
        </p>
      </Empty>
    </Screen>
  );
}
