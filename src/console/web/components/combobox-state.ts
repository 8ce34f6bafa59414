import { signal } from "@preact/signals";
import { toPetstoreError } from "../request-error.ts";
import { type ComboboxOptions, isNamed, type Option, onlyMatch } from "./option.ts";

const CREATE = "create";

/** The state of a combobox, and its reactions to keys (ARIA 1.2, combobox with a listbox popup). */
export class ComboboxState {
  /** The text that the person has typed, or undefined while the input shows the selected option. */
  readonly typed = signal<string | undefined>(undefined);
  readonly options = signal<readonly Option[]>([]);
  readonly isOpen = signal(false);
  /** The index of the highlighted option, or -1 if none is highlighted. */
  readonly active = signal(-1);
  readonly problem = signal<string | undefined>(undefined);
  /** A text for screen readers that says how many options there are. */
  readonly summary = signal("");
  props: ComboboxOptions;
  /** The abort controller of the newest search. Earlier searches have been aborted, and no longer change anything. */
  #search = new AbortController();
  /** The search that was running when the person pressed Enter for the first time. */
  #awaited: AbortController | undefined;
  /** Resolves when the newest search has ended. */
  #found = Promise.resolve();
  /** True while a search is running. Until it ends, the list shows the options for an earlier text. */
  #isSearching = false;

  constructor(props: ComboboxOptions) {
    this.props = props;
    if (props.initial) this.type(props.initial);
  }

  /** Resolves when the running search for the typed text has ended. Undefined if no search is running. */
  get pending(): Promise<void> | undefined {
    return this.#isSearching && this.#text !== "" ? this.#found : undefined;
  }

  get #text(): string {
    return this.typed.value?.trim() ?? "";
  }

  get #isShown(): boolean {
    return this.isOpen.value && this.options.value.length > 0;
  }

  get #highlighted(): Option | undefined {
    return this.options.value[this.active.value];
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
    // In Safari, the Enter key that confirms an IME composition arrives after the end of the composition, with key code 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.props.isForOpening) {
      event.preventDefault();
      // While a search is running, the key has no effect, because the action must apply to the option that the person sees
      // highlighted.
      if (!event.repeat && !this.#isSearching) this.#highlighted?.action?.act();
    } else if (this.#handle(event)) event.preventDefault();
  }

  /** Handles a key. @returns true if the browser's default action must be prevented */
  #handle({ key, target }: KeyboardEvent): boolean {
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      if (this.#isShown) this.#move(step);
      else void this.open(step);
      return true;
    }
    if (key === "Enter") return this.#enter(target instanceof HTMLInputElement ? target.form : null);
    if (this.props.isForOpening) return false;
    if (key === "Tab")
      void this.#whenFound(() => {
        const option = this.#highlighted;
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

  #enter(form: HTMLFormElement | null): boolean {
    if (this.#text === "" && this.active.value < 0) {
      this.#close();
      return false;
    }
    const isSecond = this.#awaited === this.#search;
    this.#awaited = this.#search;
    void this.#whenFound(() => {
      this.#awaited = undefined;
      // The first Enter selects an option, and the second Enter submits the form. If the person pressed both before the options
      // arrived, the form is submitted now.
      if (isSecond && this.typed.value === undefined) return form?.requestSubmit();
      const option = this.#highlighted;
      if (option !== undefined) this.choose(option);
      else if (this.#isShown) this.#move(1);
      else void this.open();
    });
    return true;
  }

  /**
   * Reacts to a key when the options for the typed text have arrived. If another search begins before that, the key has no
   * effect.
   */
  async #whenFound(react: () => void): Promise<void> {
    const search = this.#search;
    await this.#found;
    if (this.#search === search) react();
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
    this.#isSearching = true;
    this.problem.value = undefined;
    try {
      const found = await this.props.search(this.#text, search.signal);
      if (search.signal.aborted) return;
      this.#show(found);
    } catch (error) {
      if (search.signal.aborted) return;
      this.options.value = [];
      this.problem.value = toPetstoreError(error).message;
    }
    this.#isSearching = false;
  }

  #show(found: readonly Option[]): void {
    const { noun, onCreate } = this.props;
    const text = this.#text;
    const canCreate = onCreate !== undefined && text !== "" && !found.some((option) => isNamed(option, text));
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

  /** Handles the loss of the focus: selects the only option that matches the typed text, or reports a problem. */
  #settle(): void {
    const text = this.#text;
    if (text === "") this.typed.value = undefined;
    if (this.typed.value === undefined) return;
    const found = this.options.value.filter(({ value }) => value !== CREATE);
    const match = onlyMatch(found, text);
    const { noun, onCreate } = this.props;
    const remedy = onCreate === undefined ? "" : ` To add it, choose Create ${noun} in the list.`;
    if (match !== undefined) this.choose(match);
    else
      this.problem.value ??=
        found.length > 0 ? `Choose one ${noun} from the list.` : `No ${noun} matches “${text}”.${remedy}`;
  }
}
