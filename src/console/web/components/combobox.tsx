import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { ComboboxState } from "./combobox-state.ts";
import { Labelled } from "./labelled.tsx";
import type { ComboboxOptions } from "./option.ts";

interface ComboboxProps extends ComboboxOptions {
  readonly id: string;
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string | undefined;
}

/**
 * A text field with suggestions. Enter and Tab select an option. Escape closes the list; pressed again, it restores the selection.
 */
export function Combobox(props: ComboboxProps) {
  const { id, label, isLabelHidden, placeholder, selected, hint = selected?.detail } = props;
  const state = useMemo(() => new ComboboxState(props), []);
  state.props = props;
  useLayoutEffect(() => {
    if (props.isForOpening && props.initial === "") void state.open();
  }, []);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => holdBackSubmit(input.current?.form, state), []);
  // A new value that the form sets replaces the text that the person has typed.
  useLayoutEffect(() => {
    if (selected !== undefined) state.forgetTyped();
  }, [selected?.value]);
  const options = state.options.value;
  const active = state.active.value;
  const isOpen = state.isOpen.value && options.length > 0;
  return (
    <Labelled
      id={id}
      label={label}
      isLabelHidden={isLabelHidden}
      problem={state.problem.value ?? props.problem}
      hint={hint}
    >
      {(describing) => (
        <div class="combobox">
          <input
            {...describing}
            ref={input}
            id={id}
            type="text"
            dir="auto"
            role="combobox"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder={placeholder}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={`${id}-options`}
            aria-activedescendant={isOpen && active >= 0 ? `${id}-option-${active}` : undefined}
            value={state.typed.value ?? selected?.label ?? ""}
            onInput={(event) => state.type(event.currentTarget.value)}
            onKeyDown={(event) => state.press(event)}
            onClick={() => void state.open()}
            onBlur={() => state.blur()}
          />
          {/* This live region is inside the dialog, because the live regions of the page are inert behind the dialog. */}
          <span class="visually-hidden" aria-live="polite" translate={false}>
            {state.summary}
          </span>
          {isOpen && <Options id={id} state={state} />}
        </div>
      )}
    </Labelled>
  );
}

function Options({ id, state }: { readonly id: string; readonly state: ComboboxState }) {
  const list = useRef<HTMLDivElement>(null);
  const options = state.options.value;
  const active = state.active.value;
  useLayoutEffect(() => {
    if (list.current !== null) placeList(list.current);
  }, [options]);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [options, active]);
  return (
    // Keeps the focus in the input when the list is clicked.
    <div
      ref={list}
      id={`${id}-options`}
      role="listbox"
      translate={false}
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        <div key={option.value} role="none" class="option">
          <button
            id={`${id}-option-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => state.choose(option)}
          >
            <span dir="auto">{option.label}</span>
            {option.detail && <span class="muted">{option.detail}</span>}
          </button>
          {/* This button is only for the pointer, because assistive technology expects nothing but options in a listbox. The text
              field handles the keys. */}
          {option.action && (
            <button type="button" class="secondary" tabIndex={-1} aria-hidden onClick={option.action.act}>
              {option.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

/**
 * Delays the submission of a form until the search for the typed text has ended, so that the form contains the option that was
 * found.
 */
function holdBackSubmit(form: HTMLFormElement | null | undefined, state: ComboboxState) {
  const held = new AbortController();
  function submit(event: SubmitEvent) {
    const { pending } = state;
    if (pending === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void pending.then(() => form?.requestSubmit());
  }
  // The submit listener is registered for the capturing phase, so that it runs before the form's listener.
  form?.addEventListener("submit", submit, { capture: true, signal: held.signal });
  return () => held.abort();
}

/** Places the list above the input if there is no room below, and scrolls it into view. */
function placeList(list: HTMLElement) {
  const dialog = list.closest("dialog");
  // If the list extends beyond the edge of a dialog that cannot scroll, scrolling the list into view would have no effect.
  list.hidden = true;
  dialog?.classList.toggle("fits", dialog.scrollHeight <= dialog.clientHeight);
  list.hidden = false;
  list.parentElement?.scrollIntoView({ block: "nearest" });
  const field = list.parentElement?.getBoundingClientRect();
  if (field === undefined) return;
  const bottom = visualViewport?.height ?? innerHeight;
  const isOverEdge = dialog === null || dialog.classList.contains("fits");
  const top = isOverEdge ? 0 : dialog.getBoundingClientRect().top;
  const { offsetHeight } = list;
  list.classList.toggle("above", field.bottom + offsetHeight > bottom && field.top - offsetHeight > top);
  list.scrollIntoView({ block: "nearest" });
}
