import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { account, isOwner, session } from "./account/session.ts";
import { Icon, type IconName, Paw } from "./components/icon.tsx";
import { ConsoleLink } from "./environment.tsx";
import { route } from "./router.ts";

interface Destination {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly isForOwners?: true;
}

const SHOP: readonly Destination[] = [
  { href: "/", label: "Overview", icon: "overview" },
  { href: "/animals", label: "Animals", icon: "pets" },
  { href: "/categories", label: "Categories", icon: "categories" },
  { href: "/orders", label: "Orders", icon: "orders" },
];

const FOR_DEVELOPERS: readonly Destination[] = [
  { href: "/developers", label: "Developers", icon: "developers" },
  { href: "/keys", label: "API keys", icon: "keys" },
  { href: "/webhooks", label: "Webhooks", icon: "webhooks", isForOwners: true },
  { href: "/messages", label: "Messages", icon: "messages" },
  { href: "/deprecated-calls", label: "Deprecated calls", icon: "deprecated" },
  { href: "/docs", label: "API reference", icon: "reference" },
];

const PEOPLE: readonly Destination[] = [
  { href: "/people", label: "People", icon: "people", isForOwners: true },
  { href: "/audit", label: "Audit list", icon: "audit", isForOwners: true },
  { href: "/account", label: "Account", icon: "account" },
];

export function Brand() {
  return (
    <p class="brand">
      <Paw />
      petstore
    </p>
  );
}

export function Sidebar() {
  const isOpen = useSignal(false);
  const { navigations } = route.value;
  useEffect(() => {
    isOpen.value = false;
  }, [navigations]);
  return (
    <header class="sidebar">
      <div class="sidebar-top">
        <Brand />
        <EnvironmentBadge />
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
      </div>
      <nav id="navigation" aria-label="Console" class={isOpen.value ? "is-open" : undefined}>
        <Destinations label="Shop" destinations={SHOP} />
        <Destinations label="For developers" destinations={FOR_DEVELOPERS} />
        <Destinations label={isOwner.value ? "People" : "You"} destinations={PEOPLE} />
        <div class="sidebar-footer">
          <p class="breakable">{account.value?.email}</p>
          {session.value?.environment === "production" && (
            <p>
              <ConsoleLink to="staging" />
            </p>
          )}
        </div>
      </nav>
    </header>
  );
}

interface DestinationsProps {
  readonly label: string;
  readonly destinations: readonly Destination[];
}

function Destinations({ label, destinations }: DestinationsProps) {
  const id = useId();
  return (
    <>
      <p id={id} class="group-label">
        {label}
      </p>
      <ul aria-labelledby={id}>
        {destinations
          .filter(({ isForOwners }) => !isForOwners || isOwner.value)
          .map(({ href, label, icon }) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent(href, route.value.path) ? "page" : undefined}>
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
      </ul>
    </>
  );
}

function isCurrent(href: string, path: string): boolean {
  return href === path || (href !== "/" && path.startsWith(`${href}/`));
}

function EnvironmentBadge() {
  const isStaging = session.value?.environment === "staging";
  return <span class={isStaging ? "badge staging" : "badge"}>{isStaging ? "Staging" : "Production"}</span>;
}
