import { role } from "./account/session.ts";
import { Empty } from "./components/empty.tsx";
import { Screen } from "./components/screen.tsx";

interface NoScreenProps {
  /** The roles that may see the page, or undefined if there is no page at the address. */
  readonly who?: string;
}

export function NoScreen({ who }: NoScreenProps) {
  const title = who === undefined ? "There is no page at this address." : `This page is for ${who}.`;
  return (
    <Screen title={who === undefined ? "Page not found" : "Not allowed"}>
      <Empty title={title}>
        {who === undefined ? (
          <p>
            Go to the <a href="/">overview</a>.
          </p>
        ) : (
          <p>Your role is {role.value}. An owner of this store can change your role.</p>
        )}
      </Empty>
    </Screen>
  );
}
