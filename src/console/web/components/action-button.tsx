import { useKeepFocus } from "./keep-focus.ts";
import { useAction } from "./use-action.tsx";

interface ActionButtonProps {
  readonly class: "link" | "secondary";
  /** The accessible name, where the text alone does not say what the button acts on. */
  readonly label?: string;
  /** Shown before the error's message: `You are still signed in.` */
  readonly failure: string;
  readonly action: () => Promise<void>;
  readonly children: string;
}

/** Disabled while its action runs; a failure stays beside it. */
export function ActionButton(props: ActionButtonProps) {
  const { class: look, label, failure, action, children } = props;
  const { isBusy, problem, run } = useAction(failure, action);
  const place = useKeepFocus<HTMLSpanElement>();
  return (
    <span class="action" {...place}>
      <button type="button" class={look} aria-label={label} disabled={isBusy} onClick={() => void run()}>
        {children}
      </button>
      {problem}
    </span>
  );
}
