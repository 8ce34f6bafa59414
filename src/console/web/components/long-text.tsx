import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** Maximum length of a text that is shown unclamped, in characters: about two lines of a list. */
const CLAMPED_LENGTH = 140;

interface LongTextProps {
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** Text from a client, clamped to two lines until it is opened. */
export function LongText({ text, children = text }: LongTextProps) {
  const isOpen = useSignal(false);
  if (text.length <= CLAMPED_LENGTH) return <span dir="auto">{children}</span>;
  return (
    <>
      <span dir="auto" class={isOpen.value ? undefined : "clamped"}>
        {children}
      </span>
      <button
        type="button"
        class="link"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {isOpen.value ? "Show less" : `Show all ${text.length.toLocaleString()} characters`}
      </button>
    </>
  );
}

/** A name shortened to 60 characters; the stand-in replaces a blank one. */
export function shortName(name: string, standIn: string): string {
  const text = name.trim();
  if (text === "") return standIn;
  return text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text;
}
