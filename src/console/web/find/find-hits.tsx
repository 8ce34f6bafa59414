import { nameMatcher, wordsOf } from "../../../pets/words.ts";
import { mayChange } from "../account/session.ts";
import type { Option } from "../components/option.ts";
import { ownPages } from "../navigation.ts";
import { findPets, type PetOption, searchPets } from "../pets/pet-combobox.tsx";
import { numberIn } from "../pets/pet-search.tsx";
import { sell, shownStatus } from "../pets/sales.ts";
import { recentAnimals } from "./recent-animals.ts";

/**
 * Finds animals and pages for the typed text, and returns them as options. The value of an option is the address of its page. If
 * nothing is typed, returns the animals that were opened last, and all pages.
 */
export async function findHits(
  text: string,
  signal: AbortSignal,
  close: () => void,
): Promise<readonly Option[]> {
  const isNamed = nameMatcher(wordsOf(text));
  const pages = ownPages().filter(({ label }) => isNamed(label));
  const named = pages.map(({ href, label }) => ({ value: href, label }));
  if (text === "") return [...(await findRecent(signal, close)), ...named];
  const animals = (await searchPets(text, signal)).map((one) => hitOf(one, close));
  // Without quotes, a number in the search text would be taken for the identifier of an animal. In quotes, it is searched for in
  // names.
  const name = encodeURIComponent(numberIn(text) === undefined ? text : `"${text}"`);
  const list = { value: `/animals?name=${name}`, label: "Show all matches in the list" };
  return [...animals, ...(animals.length > 1 ? [list] : []), ...(wordsOf(text).length > 0 ? named : [])];
}

/** Returns the animals that were opened last, without those that have been removed. */
async function findRecent(signal: AbortSignal, close: () => void): Promise<readonly Option[]> {
  const ids = recentAnimals();
  if (ids.length === 0) return [];
  const found = await findPets({ id: ids.join() }, signal);
  return ids.flatMap((id) => found.filter(({ value }) => value === id)).map((one) => hitOf(one, close));
}

/**
 * Returns the option for an animal. It opens the animal's page and, if the animal is for sale, offers to sell it.
 *
 * @param close a function that closes the dialog; it is called before the option's action runs, so that the person sees the
 *   result on the page
 */
function hitOf({ pet, ...option }: PetOption, close: () => void): Option {
  function act() {
    close();
    void sell(pet);
  }
  const isForSale = mayChange.value && shownStatus(pet) === "available";
  return {
    ...option,
    value: `/animals/${option.value}`,
    ...(isForSale && { action: { label: "Sell", act } }),
  };
}

const KEYS = [
  ["/", "Find (also Ctrl K or ⌘ K)"],
  ["↑ ↓", "Move up or down in a list (also k and j)"],
  ["Enter", "Open the row"],
  ["s", "Sell the animal (in Find: Ctrl Enter or ⌘ Enter)"],
  ["c", "Complete the order"],
  ["u", "Undo"],
  ["x", "Select the row (Shift ↓ adds the next row)"],
  ["Esc", "Clear the selection"],
  ["?", "Show these keys"],
] as const;

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
