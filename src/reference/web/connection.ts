/** The selected server and the API key. */
export interface Connection {
  readonly server: string;
  /** The key for the selected server; empty without one. It is kept in memory only. */
  readonly key: string;
  onServerChange(listener: (server: string) => void): void;
}

/** Binds the form at the top of the page. Each environment has its own key. */
export function openConnection(): Connection {
  const keys = new Map<string, string>();
  const servers = [...document.querySelectorAll<HTMLInputElement>("input[name=server]")];
  const field = find("key", HTMLInputElement);
  const listeners: ((server: string) => void)[] = [];
  const chosen = (): HTMLInputElement | undefined => servers.find(({ checked }) => checked);

  field.addEventListener("input", () => keys.set(chosen()?.value ?? "", field.value.trim()));
  for (const server of servers) {
    server.addEventListener("change", () => {
      field.value = keys.get(server.value) ?? "";
      showEnvironment(server);
      for (const listener of listeners) listener(server.value);
    });
  }
  wireReveal(field);
  const first = chosen();
  if (first !== undefined) showEnvironment(first);
  return {
    get server() {
      return chosen()?.value ?? "";
    },
    get key() {
      return keys.get(this.server) ?? "";
    },
    onServerChange: (listener) => void listeners.push(listener),
  };
}

function showEnvironment({ dataset }: HTMLInputElement): void {
  const environment = dataset["environment"] ?? "";
  document.documentElement.dataset["environment"] = environment;
  find("environment", HTMLElement).textContent = environment;
  find("staging", HTMLElement).hidden = environment !== "staging";
}

function wireReveal(field: HTMLInputElement): void {
  const button = find("reveal", HTMLButtonElement);
  button.addEventListener("click", () => {
    const isHidden = field.type === "password";
    field.type = isHidden ? "text" : "password";
    button.setAttribute("aria-pressed", String(isHidden));
  });
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no #${id}.`);
  return element;
}
