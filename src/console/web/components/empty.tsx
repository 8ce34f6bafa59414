import type { ComponentChildren } from "preact";
import { Paw } from "./icon.tsx";

/** What stands where nothing is yet: what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Paw />
      <p class="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}
