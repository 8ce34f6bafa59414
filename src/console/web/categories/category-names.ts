import { signal } from "@preact/signals";
import { type Int64, parseInt64 } from "exact-json/int64";
import { shortName } from "../components/long-text.tsx";

export type CategoryNames = ReadonlyMap<Int64, string>;

export const knownNames = signal<CategoryNames | undefined>(undefined);

export function categoryName(number: string, standIn = `Category ${number}`): string {
  const id = parseInt64(number);
  return shortName((id !== undefined && knownNames.value?.get(id)) || "", standIn);
}
