import { useSignal } from "@preact/signals";
import { NAME_LENGTH_MAX } from "../../../contract/text-length.ts";
import type { Pet, PetStatus } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { knownCategories } from "../categories/known-categories.ts";
import { Combobox } from "../components/combobox.tsx";
import { shortName, visibleText } from "../components/long-text.tsx";
import type { Option } from "../components/option.ts";
import type { Query } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { numberIn } from "./pet-search.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { shownStatus } from "./sales.ts";
import { readPets } from "./use-pets.ts";

/** The maximum number of animals that a search suggests because of their names. */
const NAMED_MAX = 10;

interface PetComboboxProps {
  readonly id: string;
  readonly value: string;
  readonly onSelect: (value: string) => void;
  readonly problem?: string | undefined;
}

/** A form field that finds an available animal by a word in its name, or any animal by its number. */
export function PetCombobox({ value, onSelect, ...rest }: PetComboboxProps) {
  const known = useSignal<Option | undefined>(undefined);
  const pet = known.value?.value === value ? known.value : undefined;
  const unknown = pet === undefined ? value : "";
  useLoad(
    async (signal) => {
      if (unknown !== "") [known.value] = await searchPets(`#${unknown}`, signal);
    },
    [unknown],
  );
  return (
    <Combobox
      {...rest}
      label="Animal"
      noun="animal"
      hint={pet?.detail ?? "The animal's name or number."}
      selected={value === "" ? undefined : (pet ?? { value, label: `Animal ${value}` })}
      onSelect={(option) => {
        known.value = option;
        onSelect(option?.value ?? "");
      }}
      search={(text, signal) => searchPets(text, signal, "available")}
    />
  );
}

/**
 * Finds the animals whose `id` or `externalId` is the text, and animals whose names match the text. To match a name, the text may
 * contain just the beginnings of words. A text such as `#4711` is compared only with `id`.
 */
export async function searchPets(
  text: string,
  signal: AbortSignal,
  status?: PetStatus,
): Promise<readonly PetOption[]> {
  const id = numberIn(text);
  const externalId = text.trim();
  const isOwnNumber =
    /^[^,\p{Cc}\p{Cs}]+$/u.test(externalId) && externalId.length <= NAME_LENGTH_MAX && !text.startsWith("#");
  const [owned, numbered, named] = await Promise.all([
    isOwnNumber ? findPets({ externalId }, signal) : [],
    id === undefined ? [] : findPets({ id }, signal),
    text.startsWith("#") ? [] : findPets({ status, name: text === "" ? undefined : text }, signal),
  ]);
  // The animal with this `externalId` comes first, because a barcode scanner reads this number. By chance, the same digits may be
  // the `id` of another animal.
  const found = [...owned, ...numbered, ...named];
  return found.filter(({ value }, index) => found.findIndex((other) => other.value === value) === index);
}

/** A suggested animal. The value of this option is the animal's number. */
export interface PetOption extends Option {
  readonly pet: Pet;
}

export async function findPets(query: Query, signal: AbortSignal): Promise<readonly PetOption[]> {
  // Loads the names of categories. If this fails, categories are shown by their numbers.
  const [{ items }] = await Promise.all([
    readPets(query, { count: NAMED_MAX, signal }),
    knownCategories().catch(() => {}),
  ]);
  return items.map(optionOf);
}

function optionOf(pet: Pet): PetOption {
  const { id, name, categoryId, externalId } = pet;
  return {
    pet,
    value: String(id),
    label: shortName(name, "No name"),
    detail: (
      <>
        number {String(id)} ·{" "}
        {externalId !== undefined && (
          <>
            <bdi>{visibleText(externalId)}</bdi> ·{" "}
          </>
        )}
        {categoryName(String(categoryId))} <StatusBadge status={shownStatus(pet)} />
      </>
    ),
  };
}
