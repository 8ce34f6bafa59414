import type { KeyView } from "../../../keys/contract.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";

/** An item of a list for each key that is about to expire. */
export function ExpiringKeys({ keys }: { readonly keys: readonly KeyView[] }) {
  return keys.map(({ id, name, expiresAt }) => (
    <li key={id}>
      The key{" "}
      <a href="/keys" dir="auto">
        {shortName(name, id)}
      </a>{" "}
      expires on <Timestamp at={expiresAt ?? ""} precision="day" />.
    </li>
  ));
}
