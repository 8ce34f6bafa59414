import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { connectionError } from "../request-error.ts";
import { useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

/** A browser does not ask again for a module that it failed to load, and a server that was updated has other ones. */
function reload() {
  return fetch(location.href).then(
    () => location.reload(),
    () => {},
  );
}

/** A component whose code is loaded when it is shown for the first time. */
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
