import { useSignal } from "@preact/signals";
import { useAction } from "./action-button.tsx";
import { useKeepFocus } from "./keep-focus.ts";

interface ConfirmButtonProps {
  readonly class?: "link" | "secondary";
  readonly label: string;
  readonly failure: string;
  /** False hides the button; a failure stays visible. */
  readonly isOffered: boolean;
  readonly action: () => Promise<void>;
  readonly children: string;
}

/** A button that asks for confirmation in its place: `Complete? Yes No`. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { class: look = "link", label, failure, isOffered, action, children } = props;
  const isAsking = useSignal(false);
  const { isBusy, problem, run } = useAction(failure, action);
  const place = useKeepFocus<HTMLSpanElement>();
  function ask(is: boolean) {
    isAsking.value = is;
  }
  async function confirm() {
    await run();
    ask(false);
  }
  return (
    <span class="action" {...place}>
      {isOffered && !isAsking.value && (
        <button type="button" class={look} aria-label={label} onClick={() => ask(true)}>
          {children}
        </button>
      )}
      {isOffered && isAsking.value && (
        <fieldset
          class="question"
          aria-label={`${label}?`}
          onKeyDown={({ key }) => key === "Escape" && ask(false)}
        >
          {children}?{" "}
          <button
            type="button"
            class="link"
            disabled={isBusy}
            // The second click of a double click is not an answer.
            onClick={({ detail }) => detail < 2 && void confirm()}
          >
            Yes
          </button>
          <button type="button" class="link" disabled={isBusy} onClick={() => ask(false)}>
            No
          </button>
        </fieldset>
      )}
      {problem}
    </span>
  );
}
