import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

/** A component whose code is loaded when it is shown for the first time. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Component: ComponentType<Props> | undefined;
  function Loader(props: Props) {
    const loaded = useLoad(async () => (Component = await load()));
    return (
      <Loading loaded={loaded} what="the page">
        {(Loaded) => <Loaded {...props} />}
      </Loading>
    );
  }
  return (props) => {
    // What is shown stays mounted: changing over would lose its state.
    const [Known] = useState(() => Component);
    return Known === undefined ? <Loader {...props} /> : <Known {...props} />;
  };
}
