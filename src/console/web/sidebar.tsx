import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { account, session } from "./account/session.ts";
import { Icon, Logo } from "./components/icon.tsx";
import { isStaging } from "./environment.ts";
import { isReconnecting } from "./events/live.ts";
import { FindButton } from "./find/find-button.tsx";
import { destinationOf, ownPages } from "./navigation.ts";
import { route } from "./router.ts";

export function Brand() {
  return (
    <p class="brand" translate={false}>
      <Logo />
      petstore
    </p>
  );
}

export function Sidebar() {
  const isOpen = useSignal(false);
  const { navigations, path } = route.value;
  useEffect(() => {
    isOpen.value = false;
  }, [navigations]);
  const current = destinationOf(path);
  return (
    <header class="sidebar">
      <div class="sidebar-top">
        <Brand />
        <button
          type="button"
          class="secondary menu-button"
          aria-expanded={isOpen.value}
          aria-controls="navigation"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          Menu
        </button>
        <FindButton />
      </div>
      <p class="reconnecting" role="status" translate={false}>
        {isReconnecting.value && <span>Reconnecting…</span>}
      </p>
      <nav id="navigation" aria-label="Console" class={isOpen.value ? "is-open" : undefined}>
        <ul>
          {ownPages().map(
            ({ href, label, icon }) =>
              icon && (
                <li key={href}>
                  <a href={href} aria-current={href === current ? "page" : undefined}>
                    <Icon name={icon} />
                    {label}
                  </a>
                </li>
              ),
          )}
        </ul>
        <ul class="sidebar-foot">
          <li>
            <a href="/account" aria-current={current === "/account" ? "page" : undefined}>
              <Icon name="account" />
              <FootLabel label="Account" detail={account.value?.email} />
            </a>
          </li>
          <li>
            <OtherConsole />
          </li>
        </ul>
      </nav>
    </header>
  );
}

/** Link to the console of the other environment, which has the same accounts. */
function OtherConsole() {
  const other = isStaging ? "production" : "staging";
  const url = session.value?.consoles.find(({ environment }) => environment === other)?.url;
  return (
    <a href={url ?? ""}>
      <Icon name="staging" />
      <FootLabel label={isStaging ? "Production" : "Staging"} detail="Same sign-in" />
    </a>
  );
}

function FootLabel({ label, detail }: { readonly label: string; readonly detail: string | undefined }) {
  return (
    <span>
      {label}{" "}
      <span class="detail clamped" translate={false}>
        {detail}
      </span>
    </span>
  );
}
