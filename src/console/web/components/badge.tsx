import { capitalized } from "../format.ts";

/** A status word; the style sheet has its colour. */
export function Badge({ status }: { readonly status: string }) {
  return (
    <span class={`badge ${status}`} translate={false}>
      {capitalized(status)}
    </span>
  );
}
