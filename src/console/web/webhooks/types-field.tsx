import type { EventType } from "../../../events/event.ts";
import type { FormState } from "../components/form-state.ts";
import { TYPE_WORDS } from "../events/event-words.ts";

export const ALL_TYPES = Object.keys(TYPE_WORDS).join(" ");

export function typesText(types: readonly EventType[]): string {
  const words = types.map((type) => TYPE_WORDS[type]);
  return words.length === Object.keys(TYPE_WORDS).length ? "All" : words.join(", ");
}

export function typeWords(type: EventType | "webhook.test"): string {
  return type === "webhook.test" ? "Test" : TYPE_WORDS[type];
}

export function TypesField({ form }: { readonly form: FormState<"url" | "types"> }) {
  const chosen = form.values.types.split(" ");
  const problem = form.problems["types"];
  function choose(type: string, isChosen: boolean) {
    const types = Object.keys(TYPE_WORDS).filter((one) => (one === type ? isChosen : chosen.includes(one)));
    form.set("types", types.join(" "));
  }
  return (
    <fieldset class="field choices">
      <legend>Events</legend>
      {Object.entries(TYPE_WORDS).map(([type, words]) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) => choose(type, event.currentTarget.checked)}
          />
          {words}
        </label>
      ))}
      {problem !== undefined && <p class="problem">Events {problem}</p>}
    </fieldset>
  );
}
