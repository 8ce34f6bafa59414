import { capitalized } from "../format.ts";

/** A word for a status. Its colour is in the style sheet. */
export function Badge({ status }: { readonly status: string }) {
  return (
    <span class={`badge ${status}`} translate={false}>
      {capitalized(status)}
    </span>
  );
}
