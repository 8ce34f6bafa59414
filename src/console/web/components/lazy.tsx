import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { connectionError } from "../request-error.ts";
import { useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

/** A component whose module loads at its first use. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
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
    // No element around the component: its parent lays it out.
    if (Loaded !== undefined) return <Loaded {...props} />;
    return <Loading loaded={loaded} what="the page" />;
  }
  return (props) => {
    // A mounted loader stays: replacing it would lose its state.
    const [Known] = useState(() => Component);
    return Known === undefined ? <Loader {...props} /> : <Known {...props} />;
  };
}

/** Reloads the page: a browser does not retry a module that failed to load, and an updated server has other modules. */
async function reload(): Promise<never> {
  await fetch(location.href);
  location.reload();
  return new Promise(() => {});
}
