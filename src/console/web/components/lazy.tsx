import type { ComponentType, VNode } from "preact";
import { useState } from "preact/hooks";
import { connectionError } from "../request-error.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

type Lazy<Props> = ComponentType<Props> & {
  /** Loads the module before its first use. If loading fails, the error appears at the first use. */
  readonly preload: () => Promise<void>;
};

/**
 * A component whose module is loaded at its first use, or earlier if it is preloaded.
 *
 * @param StandIn component that is shown until the module has been loaded, and if it cannot be loaded
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  StandIn?: ComponentType<Props & { readonly loaded: Loaded<ComponentType<Props>> }>,
): Lazy<Props> {
  let Component: ComponentType<Props> | undefined;
  let hasFailed = false;
  async function loadComponent(): Promise<ComponentType<Props>> {
    try {
      if (hasFailed) await reload();
      Component = await load();
      return Component;
    } catch {
      hasFailed = true;
      throw connectionError();
    }
  }
  function Loader(props: Props) {
    const loaded = useLoad(loadComponent);
    const Loaded = loaded.value;
    // The loaded component is rendered without an element around it, because the parent element lays out the component.
    if (Loaded !== undefined) return <Loaded {...props} />;
    return StandIn ? <StandIn {...props} loaded={loaded} /> : <Loading loaded={loaded} what="the page" />;
  }
  function LazyComponent(props: Props) {
    // Keeps a loader that is already mounted, because replacing it by the loaded component would lose the component's state.
    const [Known] = useState(() => Component);
    return Known === undefined ? <Loader {...props} /> : <Known {...props} />;
  }
  return Object.assign(LazyComponent, { preload: () => loadComponent().then(ignore, ignore) });
}

/** Loads the module of a lazy component before the given element is shown. Does nothing for other components. */
export function preload({ type }: VNode): void {
  if (typeof type === "function" && "preload" in type) void (type as Lazy<object>).preload();
}

function ignore(): void {}

/**
 * Reloads the page, because a browser does not retry a module that failed to load, and an updated server has different modules.
 */
async function reload(): Promise<never> {
  await fetch(location.href);
  location.reload();
  return new Promise(() => {});
}
