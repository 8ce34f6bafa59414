import type { Event } from "../../../event-kinds/event-kinds.ts";
import { account } from "../account/session.ts";
import { shortName } from "../components/long-text.tsx";

/** Names the author of a change within a sentence: `you`, `ben@example.com`, `the key “till”` or `the operator`. */
export function actorWords({ actor: { kind, name } }: Pick<Event, "actor">): string {
  if (kind === "operator") return "the operator";
  if (kind === "key") return `the key “${shortName(name, "without a name")}”`;
  return name === account.value?.email ? "you" : name;
}
