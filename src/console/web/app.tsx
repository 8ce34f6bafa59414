import { useSignalEffect } from "@preact/signals";
import { AccountScreen } from "./account/account.tsx";
import { SignIn, SignUp } from "./account/credentials-form.tsx";
import {
  account,
  addressAfterSignIn,
  loadSession,
  SIGN_IN_PATHS,
  session,
  sessionError,
} from "./account/session.ts";
import { Categories } from "./categories/categories.tsx";
import { Announcements } from "./components/announce.tsx";
import { Empty } from "./components/empty.tsx";
import { ErrorAlert } from "./components/error-alert.tsx";
import { Screen } from "./components/screen.tsx";
import { EnvironmentBanner } from "./environment.tsx";
import { Keys } from "./keys/keys.tsx";
import { Messages } from "./messages/messages.tsx";
import { Orders } from "./orders/orders.tsx";
import { Overview } from "./overview/overview.tsx";
import { AddPet } from "./pets/add-pet.tsx";
import { EditPet } from "./pets/edit-pet.tsx";
import { Pets } from "./pets/pets.tsx";
import { navigate, route } from "./router.ts";
import { Brand, Sidebar } from "./sidebar.tsx";

const SCREENS: Readonly<Record<string, () => preact.JSX.Element | null>> = {
  "/": Overview,
  "/animals": Pets,
  "/animals/new": AddPet,
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
      <Announcements />
    </>
  );
}

function Frame() {
  if (session.value === undefined) return <Connecting />;
  if (account.value === undefined) return <SignedOut />;
  return (
    <div class="frame">
      <Sidebar />
      <main id="main" tabIndex={-1}>
        <CurrentScreen />
      </main>
    </div>
  );
}

function SignedOut() {
  const Form = route.value.path === "/sign-up" ? SignUp : SignIn;
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <Brand />
      <Form key={route.value.path} />
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
  const Named = SCREENS[path];
  if (Named !== undefined) return <Named key={path} />;
  const [, id] = /^\/animals\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) return <EditPet key={path} id={id} />;
  return (
    <Screen title="Page not found">
      <Empty title="There is no page at this address.">
        <p>
          Go to the <a href="/">overview</a>.
        </p>
      </Empty>
    </Screen>
  );
}
