import { capitalized } from "../format.ts";

export function Badge({ status }: { readonly status: string }) {
  return (
    <span class={`badge ${status}`} translate={false}>
      {capitalized(status)}
    </span>
  );
}
