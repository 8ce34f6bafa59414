import { useSignal } from "@preact/signals";

/** What two lines of a list hold, about. */
const LONG = 140;

/** Text as people sent it, whatever it is: never markup, never wider than its place. */
export function LongText({ text }: { readonly text: string }) {
  const isOpen = useSignal(false);
  if (text.length <= LONG) return <span dir="auto">{text}</span>;
  return (
    <>
      <span dir="auto" class={isOpen.value ? undefined : "clamped"}>
        {text}
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

/** A name short enough for a sentence, a button or a title; one that shows nothing gets a stand-in. */
export function shortName(name: string, standIn: string): string {
  const text = name.trim();
  if (text === "") return standIn;
  return text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text;
}
