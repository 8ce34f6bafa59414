import type { VNode } from "preact";
import { openDialog } from "./dialog.tsx";
import { Menu } from "./menu.tsx";

interface DialogMenuProps {
  /** Name of the row. */
  readonly of: string;
  /** Dialogs, keyed by the text of the menu item that opens them. An item that the person may not choose is false. */
  readonly dialogs: Readonly<Record<string, VNode | false>>;
}

/** A menu whose items open dialogs. */
export function DialogMenu({ of, dialogs }: DialogMenuProps) {
  return (
    <Menu label={`More for ${of}`}>
      {Object.entries(dialogs).map(
        ([text, dialog]) =>
          dialog && (
            <button key={text} type="button" onClick={() => openDialog(dialog)}>
              {text}
            </button>
          ),
      )}
    </Menu>
  );
}
