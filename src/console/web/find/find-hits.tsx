import { nameMatcher, wordsOf } from "../../../pets/words.ts";
import type { Option } from "../components/combobox-state.ts";
import { ownPages } from "../navigation.ts";
import { searchPets } from "../pets/pet-combobox.tsx";
import { numberIn } from "../pets/pet-search.tsx";

/** Animals and pages that match a text, as options whose value is their address. Without a text, all pages. */
export async function findHits(text: string, signal: AbortSignal): Promise<readonly Option[]> {
  const isNamed = nameMatcher(wordsOf(text));
  const pages = ownPages().filter(({ label }) => isNamed(label));
  const named = pages.map(({ href, label }) => ({ value: href, label }));
  if (text === "") return named;
  const found = await searchPets(text, signal);
  const animals = found.map((option) => ({ ...option, value: `/animals/${option.value}` }));
  // In quotes, a number is searched for in names. Without quotes, it is an animal's number.
  const name = encodeURIComponent(numberIn(text) === undefined ? text : `"${text}"`);
  const list = { value: `/animals?name=${name}`, label: "Show all in the list" };
  return [...animals, ...(animals.length > 1 ? [list] : []), ...(wordsOf(text).length > 0 ? named : [])];
}

const KEYS = [
  ["/", "Find (also Ctrl K or ⌘ K)"],
  ["↑ ↓", "Move by row in a list (also k and j)"],
  ["Enter", "Open the row"],
  ["s", "Sell the animal"],
  ["c", "Complete the order"],
  ["u", "Undo"],
  ["x", "Select the row (Shift ↓: the next one, too)"],
  ["Esc", "Clear the selection"],
  ["?", "Show these keys"],
] as const;

/** List of the keys that act on every page. */
export function FindKeys() {
  return (
    <ul class="keys">
      {KEYS.map(([key, action]) => (
        <li key={key}>
          <kbd class="key">{key}</kbd> {action}
        </li>
      ))}
    </ul>
  );
}
