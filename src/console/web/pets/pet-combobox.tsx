import { useSignal } from "@preact/signals";
import { parseInt64 } from "exact-json/int64";
import { Combobox } from "../components/combobox.tsx";
import type { Option } from "../components/combobox-state.ts";
import { shortName } from "../components/long-text.tsx";
import type { Query } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { readPets } from "./use-pets.ts";

const OPTIONS_MAX = 20;

interface PetComboboxProps {
  readonly id: string;
  readonly value: string;
  readonly onSelect: (value: string) => void;
  readonly problem?: string | undefined;
}

/** Form field that finds an available animal by a word of its name, or any animal by its number. */
export function PetCombobox({ value, onSelect, ...rest }: PetComboboxProps) {
  const chosen = useSignal<Option | undefined>(undefined);
  const known = chosen.value?.value === value ? chosen.value : undefined;
  const unknown = known === undefined ? value : "";
  const read = useLoad(
    async (signal) => (unknown === "" ? [] : await findPets({ id: unknown }, signal)),
    [unknown],
  );
  const loaded = read.value?.find((option) => option.value === value);
  return (
    <Combobox
      {...rest}
      label="Animal"
      noun="animal"
      hint={(known ?? loaded)?.detail ?? "A name, or an animal's number."}
      selected={value === "" ? undefined : (known ?? loaded ?? { value, label: `Animal ${value}` })}
      onSelect={(option) => {
        chosen.value = option;
        onSelect(option?.value ?? "");
      }}
      search={searchPets}
    />
  );
}

async function searchPets(text: string, signal: AbortSignal): Promise<readonly Option[]> {
  const number = parseInt64(text);
  const [numbered, named] = await Promise.all([
    number === undefined ? [] : findPets({ id: String(number) }, signal),
    findPets({ status: "available", name: text === "" ? undefined : text }, signal),
  ]);
  return [...numbered, ...named.filter(({ value }) => value !== numbered[0]?.value)];
}

async function findPets(query: Query, signal: AbortSignal): Promise<readonly Option[]> {
  const { items } = await readPets(query, { count: OPTIONS_MAX, signal });
  return items.map(({ id, name }) => ({
    value: String(id),
    label: shortName(name, "No name"),
    detail: `number ${id}`,
  }));
}
