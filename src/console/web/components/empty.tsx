import type { ComponentChildren } from "preact";
import { Logo } from "./icon.tsx";

/** Placeholder for an empty list; the children say why it is empty, and have the button that changes that. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Logo />
      <h2 class="empty-title">{title}</h2>
      <div>{children}</div>
    </div>
  );
}
