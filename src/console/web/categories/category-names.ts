import { signal } from "@preact/signals";
import { type Int64, parseInt64 } from "exact-json/int64";
import { shortName } from "../components/long-text.tsx";
import type { Option } from "../components/option.ts";

export type CategoryNames = ReadonlyMap<Int64, string>;

export const knownNames = signal<CategoryNames | undefined>(undefined);

export function categoryName(number: string, standIn = `Category ${number}`): string {
  const id = parseInt64(number);
  return shortName((id !== undefined && knownNames.value?.get(id)) || "", standIn);
}

/** Returns the option of a combobox for a category. It shows the category's number if several categories have the same name. */
export function categoryOption(number: string, names: CategoryNames): Option {
  const label = categoryName(number);
  const namesakes = [...names.values()].filter((name) => shortName(name, "") === label);
  return { value: number, label, detail: namesakes.length > 1 ? `number ${number}` : undefined };
}
