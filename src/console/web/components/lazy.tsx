import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { connectionError } from "../request-error.ts";
import { useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

/** Reloads the page: a browser does not retry a module that failed to load, and an updated server has other modules. */
function reload() {
  return fetch(location.href).then(
    () => location.reload(),
    () => {},
  );
}

export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Component: ComponentType<Props> | undefined;
  function Loader(props: Props) {
    const loaded = useLoad(async () => {
      try {
        Component = await load();
        return Component;
      } catch {
        throw connectionError();
      }
    });
    return (
      <Loading loaded={{ ...loaded, reload }} what="the page">
        {(Loaded) => <Loaded {...props} />}
      </Loading>
    );
  }
  return (props) => {
    // A mounted loader stays: replacing it would lose its state.
    const [Known] = useState(() => Component);
    return Known === undefined ? <Loader {...props} /> : <Known {...props} />;
  };
}
