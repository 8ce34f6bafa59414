import type { ComponentChildren } from "preact";

/** The maximum length, in characters, of a text that is shown in full. It fills about two lines of a list. */
const WHOLE_LENGTH = 140;

interface LongTextProps {
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** Shows text that a client has written. If the text is long, only its beginning is shown until the person opens it. */
export function LongText({ text, children = visibleText(text) }: LongTextProps) {
  if (text.length <= WHOLE_LENGTH) return <span dir="auto">{children}</span>;
  return (
    <details class="long-text">
      <summary dir="auto">{shortName(text, "Text")}</summary>
      <span dir="auto">{children}</span>
    </details>
  );
}

/** Makes characters that change the writing direction (UAX #9) visible: `Rex«U+202E»gnp.exe`. */
export function visibleText(text: string): string {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `«U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}»`,
  );
}

/** Shortens a name to 60 characters. If the name is blank, returns `standIn` instead. */
export function shortName(name: string, standIn: string): string {
  const text = visibleText(name.trim());
  if (text === "") return standIn;
  return text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text;
}
