import type { ComponentChildren } from "preact";
import { Paw } from "./icon.tsx";

/** Shown in place of an empty list; the children tell what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Paw />
      <p class="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}
