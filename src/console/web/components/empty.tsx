import type { ComponentChildren } from "preact";
import { Logo } from "./icon.tsx";

/** Placeholder for an empty list; the children say what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Logo />
      <p class="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}
