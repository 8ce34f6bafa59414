import { useSignal } from "@preact/signals";
import { announce } from "./announce.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** `Copy key` */
  readonly label: string;
  /** `key` */
  readonly what: string;
}

export function CopyButton({ text, label, what }: CopyButtonProps) {
  const isCopied = useSignal(false);
  async function copy(): Promise<void> {
    isCopied.value = await copyText(text);
    announce(isCopied.value ? `The ${what} is copied.` : `Select the ${what} and copy it with the keyboard.`);
  }
  return (
    <button type="button" class="secondary" onClick={() => void copy()}>
      {isCopied.value ? `${label} again` : label}
    </button>
  );
}

/** `navigator.clipboard` is missing without TLS, and may be refused. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
