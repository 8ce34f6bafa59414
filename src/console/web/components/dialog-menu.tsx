import type { VNode } from "preact";
import { openDialog } from "./dialog.tsx";
import { Menu } from "./menu.tsx";

interface DialogMenuProps {
  /** The name of the item that the menu belongs to, such as `the order of Rex`. */
  readonly of: string;
  /**
   * The dialogs, keyed by the text of the menu item that opens the dialog. The value is false for an item that the person may not
   * choose.
   */
  readonly dialogs: Readonly<Record<string, VNode | false>>;
}

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
