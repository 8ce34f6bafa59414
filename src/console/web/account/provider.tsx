import { useEffect } from "preact/hooks";
import type { Arrival, Departure, IdentityView } from "../../../accounts/identities/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { navigate } from "../router.ts";
import { browserStorage, tabStorage } from "../storage.ts";
import { useLoad } from "../use-load.ts";
import { missing } from "./credentials.ts";
import { addressAfterSignIn, PROVIDER, readSession, session } from "./session.ts";

/** The sessionStorage key for the address that is opened when the person comes back from the provider. */
const NEXT = "next";

/** A button that opens the provider's page. The provider later sends the browser back to `ProviderReturn`. */
export function ProviderSignIn({ name }: { readonly name: string }) {
  async function leave() {
    const { url } = await call<Departure>("POST", "/session/provider/departure");
    tabStorage.setItem(NEXT, addressAfterSignIn());
    location.assign(url);
  }
  return (
    <section aria-label={name}>
      <ActionButton class="secondary" failure="You are not signed in." action={leave}>
        {`Sign in with ${name}`}
      </ActionButton>
    </section>
  );
}

/** Completes what the person began before the browser opened the provider's page: a sign-in, or the linking of an account. */
export function ProviderReturn() {
  const arrived = useLoad(async () => {
    const { search } = location;
    // Removes the sign-in code from the page's address. The code works only once, and must not be sent again when the page is
    // reloaded.
    history.replaceState(null, "", location.pathname);
    return call<Arrival>("POST", "/session/provider", { body: { query: search } });
  });
  return (
    <Screen title="Sign in">
      <Loading loaded={arrived} what="your sign-in">
        {({ outcome }) => <Arrived outcome={outcome} />}
      </Loading>
      <p>
        <a href="/sign-in">Back to the sign-in page</a>
      </p>
    </Screen>
  );
}

function Arrived({ outcome }: Pick<Arrival, "outcome">) {
  useEffect(() => {
    if (outcome === "signed-in") browserStorage.setItem(PROVIDER, "true");
    const address = outcome === "linked" ? "/account" : (tabStorage.getItem(NEXT) ?? "/");
    tabStorage.removeItem(NEXT);
    void readSession().then(() => {
      navigate(address, { replace: true });
      if (outcome === "linked") announce("Account linked");
    });
  }, [outcome]);
  return <p>One moment…</p>;
}

interface IdentitiesProps {
  readonly identities: readonly IdentityView[];
  readonly onChanged: () => Promise<void>;
}

/**
 * Shows the link between the account and a provider. It is shown if a provider is configured, or if the account is still linked
 * to a provider that is no longer configured.
 */
export function Identities({ identities, onChanged }: IdentitiesProps) {
  const name = session.value?.provider;
  return (
    <section class="card" aria-labelledby="identities-heading">
      <h2 id="identities-heading" tabIndex={-1}>
        Sign in with {name ?? "a provider"}
      </h2>
      {identities.length === 0 && (
        <p class="muted">Link your account at {name}, and sign in with it. Your password still works.</p>
      )}
      {identities.map((identity) => (
        <div key={identity.id} class="stack">
          <p>
            Linked to <LongText text={identity.name} /> at <LongText text={identity.issuer} />, since{" "}
            <Timestamp at={identity.createdAt} precision="day" />.
          </p>
          <Unlink identity={identity} onChanged={onChanged} />
        </div>
      ))}
      {identities.length === 0 && name && <Link name={name} />}
    </section>
  );
}

function Link({ name }: { readonly name: string }) {
  const form = useForm<"password">({
    id: "link-identity",
    initial: { password: "" },
    isSecret: true,
    check: missing,
    async send(body) {
      const { url } = await call<Departure>("POST", "/account/identities/departure", { body });
      location.assign(url);
    },
  });
  return (
    <Form form={form} label={`Link ${name}`} submitLabel={`Link ${name}`} busyLabel="Opening…">
      <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
    </Form>
  );
}

function Unlink({
  identity,
  onChanged,
}: { readonly identity: IdentityView } & Pick<IdentitiesProps, "onChanged">) {
  const form = useForm<"password">({
    id: "unlink-identity",
    initial: { password: "" },
    isSecret: true,
    check: missing,
    async send(body) {
      await call("POST", `/account/identities/${identity.id}/remove`, { body });
      announce("Account unlinked");
      document.getElementById("identities-heading")?.focus();
      void onChanged();
    },
  });
  return (
    <Form form={form} label="Unlink" submitLabel="Unlink" busyLabel="Unlinking…">
      <PasswordField
        form={form}
        name="password"
        label="Your password"
        autocomplete="current-password"
        hint="If you have never set a password, ask an owner for a link to set a password."
      />
    </Form>
  );
}
