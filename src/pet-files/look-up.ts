import { ID_FILTER_MAX } from "../limits.ts";
import type { Pet } from "../pets/contract.ts";
import { DIGITS_MAX } from "./spoilt-numbers.ts";

/** The members by which a line is matched with an animal of the store, in order of precedence. */
export const MATCHES = ["id", "externalId"] as const;
export type MatchBy = (typeof MATCHES)[number];

/** An animal of the store, with its entity tag if the service has sent one. */
export type FoundPet = Pet & { readonly etag?: string };

/** Finds the animals that have these identifiers, or these external numbers. */
export type FindPets = (by: MatchBy, keys: readonly string[]) => Promise<readonly FoundPet[]>;

interface Lookup {
  /** Maps each key to its animal. In a spreadsheet, spaces around a key do not matter, unless an animal's number has them. */
  readonly found: ReadonlyMap<string, FoundPet>;
  /**
   * Maps a key that no animal has to an animal whose key is the same except for leading zeros, which a spreadsheet may have removed
   * from the file.
   */
  readonly padded: ReadonlyMap<string, FoundPet>;
}

/** Finds the animals with these keys. The caller may pass at most as many keys as the service allows in one request. */
export async function lookupOf(
  by: MatchBy,
  keys: readonly string[],
  find: FindPets,
  isSpreadsheet: boolean,
): Promise<Lookup> {
  const found = await findAll(by, [...new Set(keys)], find);
  const padded = new Map<string, FoundPet>();
  if (by !== "externalId" || !isSpreadsheet) return { found, padded };
  const unknown = () => keys.filter((key) => !found.has(key));
  const spaced = unknown().filter((key) => key.trim() !== key);
  const trimmed = await findAll(by, [...new Set(spaced.map((key) => key.trim()))], find);
  for (const key of spaced) {
    const pet = trimmed.get(key.trim());
    if (pet !== undefined) found.set(key, pet);
  }
  const originals = new Map(
    unknown().flatMap((key) => longerThan(key.trim()).map((longer) => [longer, key])),
  );
  const longer = await findAll(by, [...originals.keys()], find);
  for (const [key, pet] of longer) padded.set(originals.get(key) ?? "", pet);
  return { found, padded };
}

/** Returns all longer forms of a number, with leading zeros that a spreadsheet would have removed. */
function longerThan(key: string): readonly string[] {
  if (!/^[1-9]\d*$/.test(key)) return [];
  return Array.from({ length: Math.max(0, DIGITS_MAX - key.length) }, (_, index) =>
    key.padStart(key.length + index + 1, "0"),
  );
}

async function findAll(by: MatchBy, keys: readonly string[], find: FindPets) {
  const found = new Map<string, FoundPet>();
  for (let at = 0; at < keys.length; at += ID_FILTER_MAX)
    for (const pet of await find(by, keys.slice(at, at + ID_FILTER_MAX))) found.set(String(pet[by]), pet);
  return found;
}
