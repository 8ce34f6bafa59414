import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { toPetstoreError } from "../request-error.ts";

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Text that distinguishes options with the same label. */
  readonly detail?: ComponentChildren;
}

export interface ComboboxOptions {
  readonly noun: string;
  readonly selected: Option | undefined;
  readonly onSelect: (option: Option | undefined) => void;
  /** Options for a text, best first; for an empty text, the initial ones. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly onCreate?: ((text: string) => Promise<Option>) | undefined;
  /** Text that is typed already when the field appears. */
  readonly initial?: string;
  /** True if selecting an option opens its page. Then only Enter or a click selects, and Escape closes the dialog. */
  readonly isForOpening?: boolean;
}

const CREATE = "create";

/** State and keys of a combobox (ARIA 1.2 combobox with a listbox popup). */
export class ComboboxState {
  /** The typed text; undefined while the input shows the selection. */
  readonly typed = signal<string | undefined>(undefined);
  readonly options = signal<readonly Option[]>([]);
  readonly isOpen = signal(false);
  /** Index of the highlighted option; -1 without one. */
  readonly active = signal(-1);
  readonly problem = signal<string | undefined>(undefined);
  /** Text for screen readers: the number of options. */
  readonly summary = signal("");
  /** The component's properties as last rendered. */
  props: ComboboxOptions;
  #search = new AbortController();
  #found = Promise.resolve();

  constructor(props: ComboboxOptions) {
    this.props = props;
    if (props.initial) this.type(props.initial);
  }

  get #text(): string {
    return this.typed.value?.trim() ?? "";
  }

  get #isShown(): boolean {
    return this.isOpen.value && this.options.value.length > 0;
  }

  type(text: string): void {
    this.typed.value = text;
    if (text === "" && this.props.selected !== undefined) this.props.onSelect(undefined);
    void this.open();
  }

  /** Opens the list of options. @param step direction in which the highlight moves when the options have arrived */
  async open(step = 0): Promise<void> {
    this.isOpen.value = true;
    this.#found = this.#find();
    await this.#found;
    if (this.active.value < 0 && step !== 0) this.#move(step);
  }

  choose(option: Option): void {
    this.#close();
    if (option.value === CREATE) return void this.#create();
    this.forgetTyped();
    this.props.onSelect(option);
  }

  forgetTyped(): void {
    this.typed.value = undefined;
    this.problem.value = undefined;
  }

  blur(): void {
    if (this.props.isForOpening) return;
    this.#close();
    if (this.#text !== "" && this.props.selected !== undefined) this.props.onSelect(undefined);
    void this.#whenFound(() => this.#settle());
  }

  press(event: KeyboardEvent): void {
    // Safari sends the Enter that confirms an IME composition only after the composition's end, with key code 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (this.#handle(event.key)) event.preventDefault();
  }

  /** Handles a key. @returns true if the browser's default action must be prevented */
  #handle(key: string): boolean {
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      if (this.#isShown) this.#move(step);
      else void this.open(step);
      return true;
    }
    if (key === "Enter") return this.#enter();
    if (this.props.isForOpening) return false;
    if (key === "Tab")
      void this.#whenFound(() => {
        const option = this.options.value[this.active.value];
        if (option !== undefined && option.value !== CREATE) this.choose(option);
      });
    if (key === "Escape") {
      const isUsed = this.isOpen.value || this.typed.value !== undefined;
      if (!this.isOpen.value) this.forgetTyped();
      this.#close();
      return isUsed;
    }
    return false;
  }

  #enter(): boolean {
    if (this.#text === "" && this.active.value < 0) {
      this.#close();
      return false;
    }
    void this.#whenFound(() => {
      const option = this.options.value[this.active.value];
      if (option !== undefined) this.choose(option);
      else if (this.#isShown) this.#move(1);
      else void this.open();
    });
    return true;
  }

  /** Acts on the options for the typed text as soon as they have arrived, unless the text changes before. */
  async #whenFound(act: () => void): Promise<void> {
    const search = this.#search;
    await this.#found;
    if (this.#search === search) act();
  }

  #move(step: number): void {
    const options = this.options.value;
    if (options.length === 0) return;
    const selected = options.findIndex(({ value }) => value === this.props.selected?.value);
    if (this.active.value >= 0) this.active.value += step + options.length;
    else this.active.value = selected >= 0 ? selected : step > 0 ? 0 : options.length - 1;
    this.active.value %= options.length;
  }

  #close(): void {
    this.isOpen.value = false;
    this.active.value = -1;
  }

  async #find(): Promise<void> {
    this.#search.abort();
    const search = new AbortController();
    this.#search = search;
    this.problem.value = undefined;
    try {
      const found = await this.props.search(this.#text, search.signal);
      if (!search.signal.aborted) this.#show(found);
    } catch (error) {
      if (search.signal.aborted) return;
      this.options.value = [];
      this.problem.value = toPetstoreError(error).message;
    }
  }

  #show(found: readonly Option[]): void {
    const { noun, onCreate } = this.props;
    const text = this.#text;
    const canCreate = onCreate !== undefined && text !== "" && !found.some((option) => isSame(option, text));
    const label = `Create ${noun} “${text}”`;
    this.options.value = canCreate ? [...found, { value: CREATE, label }] : found;
    this.active.value = text !== "" && found.length > 0 ? 0 : -1;
    if (!this.isOpen.value) return;
    const count = found.length === 1 ? "1 suggestion" : `${found.length || "No"} suggestions`;
    this.summary.value = canCreate ? `${count}. ${label}: last option.` : count;
  }

  async #create(): Promise<void> {
    try {
      const created = await this.props.onCreate?.(this.#text);
      if (created !== undefined) this.choose(created);
    } catch (error) {
      this.problem.value = toPetstoreError(error).message;
    }
  }

  /** Selects, on blur, the only option that matches the typed text, or reports a problem. */
  #settle(): void {
    const text = this.#text;
    if (text === "") this.typed.value = undefined;
    if (this.typed.value === undefined) return;
    const found = this.options.value.filter(({ value }) => value !== CREATE);
    const same = found.filter((option) => isSame(option, text));
    const [only, ...others] = same.length > 0 ? same : found;
    const { noun, onCreate } = this.props;
    const remedy = onCreate === undefined ? "" : ` To add it, choose Create ${noun} in the list.`;
    if (only !== undefined && others.length === 0) this.choose(only);
    else
      this.problem.value ??= only
        ? `Choose one ${noun} from the list.`
        : `No ${noun} matches “${text}”.${remedy}`;
  }
}

function isSame({ value, label }: Option, text: string): boolean {
  return value === text || label.trim().toLowerCase() === text.toLowerCase();
}
