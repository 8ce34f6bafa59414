import type { ComponentChildren } from "preact";
import { Logo } from "./icon.tsx";

/**
 * The content that is shown instead of an empty list. The children say why the list is empty, and contain the button for adding
 * something.
 */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Logo />
      <h2 class="empty-title">{title}</h2>
      <div>{children}</div>
    </div>
  );
}
