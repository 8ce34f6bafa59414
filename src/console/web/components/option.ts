import type { ComponentChildren } from "preact";

/** A suggestion of a combobox. */
export interface Option {
  readonly value: string;
  readonly label: string;
  /** A text that distinguishes options with the same label. */
  readonly detail?: ComponentChildren;
  /** A second action besides selecting the option. It has a button beside the option, and the keys Ctrl Enter or ⌘ Enter. */
  readonly action?: { readonly label: string; readonly act: () => void };
}

export function isNamed({ value, label }: Option, text: string): boolean {
  return value === text || label.trim().toLowerCase() === text.toLowerCase();
}

/** Returns the only option with this name or, if none has the name, the only one that was found for it. */
export function onlyMatch(found: readonly Option[], text: string): Option | undefined {
  const named = found.filter((option) => isNamed(option, text));
  const [only, ...others] = named.length > 0 ? named : found;
  return others.length === 0 ? only : undefined;
}
