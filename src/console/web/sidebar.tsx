import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { account, session } from "./account/session.ts";
import { Icon, Logo } from "./components/icon.tsx";
import { enterStaging, isStaging } from "./environment.ts";
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
  // This is a layout effect, so that it does not close a menu that is opened again before the new page has been painted.
  useLayoutEffect(() => {
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
              <span>
                Account{" "}
                <span class="detail clamped" translate={false}>
                  {account.value?.email}
                </span>
              </span>
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

function OtherConsole() {
  const consoles = session.value?.consoles;
  return (
    <a href={consoles?.[isStaging ? "production" : "staging"] ?? ""} onClick={enterStaging}>
      <Icon name="staging" />
      {isStaging ? "Production" : "Staging"}
    </a>
  );
}
