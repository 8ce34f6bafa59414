import type { ComponentChildren } from "preact";

/** A suggestion in the list of a combobox. */
export interface Option {
  readonly value: string;
  readonly label: string;
  /** Text that distinguishes options with the same label. */
  readonly detail?: ComponentChildren;
  /**
   * Another action, besides selecting the option. People start it with the button beside the option, or with Ctrl Enter or ⌘
   * Enter.
   */
  readonly action?: { readonly label: string; readonly act: () => void };
}

export interface ComboboxOptions {
  readonly noun: string;
  readonly selected: Option | undefined;
  readonly onSelect: (option: Option | undefined) => void;
  /** Finds the options for the typed text, best first. If nothing is typed, returns the options that are offered initially. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly onCreate?: ((text: string) => Promise<Option>) | undefined;
  readonly initial?: string | undefined;
  /**
   * True if selecting an option opens the option's page. An option is then selected only by Enter or a click, and Escape closes
   * the dialog.
   */
  readonly isForOpening?: boolean;
}

export function isNamed({ value, label }: Option, text: string): boolean {
  return value === text || label.trim().toLowerCase() === text.toLowerCase();
}

/**
 * Returns the only option with this name. If no option has the name, returns the only option that was found. Returns undefined if
 * there are several.
 */
export function onlyMatch(found: readonly Option[], text: string): Option | undefined {
  const named = found.filter((option) => isNamed(option, text));
  const [only, ...others] = named.length > 0 ? named : found;
  return others.length === 0 ? only : undefined;
}
