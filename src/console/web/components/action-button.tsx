import { useSignal } from "@preact/signals";
import { toPetstoreError } from "../request-error.ts";
import { useSettling } from "../steady-press.ts";
import { useKeepFocus } from "./keep-focus.ts";

interface ActionButtonProps {
  readonly class: "link" | "secondary";
  /** The accessible name. Set it if the button's text does not say what the button applies to. */
  readonly label?: string;
  /** Text that is shown before the error's message if the action fails, such as `You are still signed in.` */
  readonly failure: string;
  readonly action: () => Promise<void>;
  readonly children: string;
}

/**
 * A button that is disabled while its action runs, and ignores presses for a moment afterwards. If the action fails, the error
 * stays beside the button until the next attempt.
 */
export function ActionButton(props: ActionButtonProps) {
  const { class: look, label, failure, action, children } = props;
  const isBusy = useSignal(false);
  const isSettling = useSettling(isBusy.value);
  const problem = useSignal("");
  const place = useKeepFocus<HTMLSpanElement>();
  async function run() {
    isBusy.value = true;
    problem.value = "";
    try {
      await action();
    } catch (error) {
      problem.value = `${failure} ${toPetstoreError(error).message}`;
    }
    isBusy.value = false;
  }
  return (
    <span class="action" {...place}>
      <button
        type="button"
        class={look}
        translate={false}
        aria-label={label}
        disabled={isBusy.value}
        aria-disabled={isSettling || undefined}
        onClick={() => !isSettling && void run()}
      >
        {children}
      </button>
      {problem.value !== "" && (
        <span class="problem" role="alert" dir="auto" translate={false}>
          {problem}
        </span>
      )}
    </span>
  );
}
