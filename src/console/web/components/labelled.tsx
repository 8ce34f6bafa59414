import type { ComponentChildren } from "preact";

export interface Describing {
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string | undefined;
}

interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  readonly isOptional?: boolean;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly children: (describing: Describing) => ComponentChildren;
}

export function Labelled(props: LabelledProps) {
  const { id, label, isLabelHidden, isOptional = false, problem, hint, children } = props;
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "visually-hidden" : undefined}>
        {label}
        {isOptional && <span class="optional"> (optional)</span>}
      </label>
      {children({
        "aria-invalid": problem === undefined ? undefined : "true",
        "aria-describedby": notes === "" ? undefined : notes,
      })}
      {problem !== undefined && (
        <p key={problem} class="problem" id={`${id}-problem`} dir="auto">
          {problem}
        </p>
      )}
      {hint && (
        <p
          key={typeof hint === "string" ? hint : "data"}
          class="hint"
          id={`${id}-hint`}
          translate={typeof hint === "string"}
        >
          {hint}
        </p>
      )}
    </div>
  );
}
