import { session } from "./account/session.ts";

export const REHEARSAL = "/rehearsal";

export function ConsoleLink({ to }: { readonly to: "production" | "staging" }) {
  const other = session.value?.consoles.find(({ environment }) => environment === to);
  return other ? <a href={other.url}>Go to {to}</a> : null;
}
