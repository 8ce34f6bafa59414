import { useSignal } from "@preact/signals";
import { toRequestError } from "../request-error.ts";
import { announce } from "./announce.tsx";

interface ActionButtonProps {
  readonly class: "link" | "secondary";
  /** The accessible name, where the text alone does not say what the button acts on. */
  readonly label?: string;
  /** Announced before the error's message: `You are still signed in.` */
  readonly failure: string;
  readonly action: () => Promise<void>;
  readonly children: string;
}

/** Disabled while its action runs. */
export function ActionButton(props: ActionButtonProps) {
  const { class: look, label, failure, action, children } = props;
  const isBusy = useSignal(false);
  async function run(): Promise<void> {
    isBusy.value = true;
    try {
      await action();
    } catch (error) {
      announce(`${failure} ${toRequestError(error).message}`);
    }
    isBusy.value = false;
  }
  return (
    <button type="button" class={look} aria-label={label} disabled={isBusy.value} onClick={() => void run()}>
      {children}
    </button>
  );
}
