import { account } from "./account/session.ts";
import { Empty } from "./components/empty.tsx";
import { Screen } from "./components/screen.tsx";

interface NoScreenProps {
  /** Roles that may see the page; undefined if the address has no page. */
  readonly who?: string;
}

export function NoScreen({ who }: NoScreenProps) {
  if (who !== undefined) {
    return (
      <Screen title="Not allowed">
        <Empty title={`This page is for ${who}.`}>
          <p>
            You are {account.value?.role === "viewer" ? "a viewer" : "staff"}. An owner of this store can
            change that.
          </p>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title="Page not found">
      <Empty title="There is no page at this address.">
        <p>
          Go to the <a href="/">overview</a>.
        </p>
      </Empty>
    </Screen>
  );
}
