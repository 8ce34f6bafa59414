import { find } from "./find.ts";

export interface Connection {
  readonly server: string;
  /** The API key for the selected server; empty if no key has been entered. It is stored only in memory. */
  readonly key: string;
}

/** Connects the form for the server and the API key at the top of the page. Each environment has its own key. */
export function openConnection(onServerChange: () => void): Connection {
  const keys = new Map<string, string>();
  const servers = [...document.querySelectorAll<HTMLInputElement>("input[name=server]")];
  const field = find("key", HTMLInputElement);
  const chosen = (): HTMLInputElement | undefined => servers.find(({ checked }) => checked);
  const connection = {
    get server() {
      return chosen()?.value ?? "";
    },
    get key() {
      return keys.get(this.server) ?? "";
    },
  };

  field.addEventListener("input", () => keys.set(connection.server, field.value.trim()));
  const offer = offerSessionKey((key) => {
    keys.set(servers.find(isOwn)?.value ?? "", key);
    // Shows the key of the selected environment, because the person may have selected another one while the request was running.
    field.value = connection.key;
  });
  function show() {
    const server = chosen();
    if (server === undefined) return;
    field.value = connection.key;
    showEnvironment(server);
    offer(server);
  }
  for (const server of servers) {
    server.addEventListener("change", () => {
      show();
      onServerChange();
    });
  }
  wireReveal(field);
  show();
  return connection;
}

function showEnvironment({ dataset }: HTMLInputElement) {
  const environment = dataset["environment"] ?? "";
  document.documentElement.dataset["environment"] = environment;
  find("staging", HTMLElement).hidden = environment !== "staging";
}

function wireReveal(field: HTMLInputElement) {
  const button = find("reveal", HTMLButtonElement);
  button.addEventListener("click", () => {
    const isHidden = field.type === "password";
    field.type = isHidden ? "text" : "password";
    button.setAttribute("aria-pressed", String(isHidden));
  });
}

const isOwn = ({ dataset }: HTMLInputElement): boolean => "own" in dataset;

interface OneHourKey {
  readonly token: string;
  readonly key: { readonly name: string; readonly expiresAt: string };
}

const CONSOLE = "/console/api";

/**
 * Offers an API key with read access to people who are signed in to the console of this service. The page creates the key when
 * the person clicks the button, and creates another key when the first has expired.
 */
function offerSessionKey(use: (key: string) => void): (server: HTMLInputElement) => void {
  const button = find("session-key", HTMLButtonElement);
  const status = button.nextElementSibling as HTMLElement;
  const hasConsole = document.querySelector('.links a[href="/"]') !== null;
  const session = hasConsole ? isSignedIn() : Promise.resolve(false);
  let made: OneHourKey | undefined;
  button.addEventListener("click", async () => {
    if (button.ariaDisabled === "true") return;
    if (made === undefined || Date.parse(made.key.expiresAt) <= Date.now()) {
      button.ariaDisabled = "true";
      const response = await fetch(`${CONSOLE}/keys/one-hour`, { method: "POST" }).catch(() => undefined);
      const body = await response?.json().catch(() => undefined);
      button.ariaDisabled = null;
      if (!response?.ok) {
        status.textContent = body?.message ?? "The service cannot be reached.";
        return;
      }
      made = body as OneHourKey;
    }
    use(made.token);
    status.textContent = `The new key ${made.key.name} is now in this field. The console lists the key under API keys.`;
  });
  return async (server) => {
    const isOffered = (await session) && isOwn(server);
    (button.parentElement as HTMLElement).hidden = !isOffered;
    status.textContent = "";
  };
}

async function isSignedIn(): Promise<boolean> {
  const response = await fetch(`${CONSOLE}/session`).catch(() => undefined);
  return response?.ok === true && (await response.json()).account !== null;
}
