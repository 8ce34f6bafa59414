import { ID_FILTER_MAX } from "../limits.ts";
import type { Pet } from "../pets/contract.ts";
import { DIGITS_MAX } from "./spoilt-numbers.ts";

/** The members that can be used to match a line with an animal in the store. An earlier member takes precedence. */
export const MATCHES = ["id", "externalId"] as const;
export type MatchBy = (typeof MATCHES)[number];

/** An animal in the store, with its entity tag if the service has sent one. */
export type FoundPet = Pet & { readonly etag?: string };

export type FindPets = (by: MatchBy, keys: readonly string[]) => Promise<readonly FoundPet[]>;

interface Lookup {
  /**
   * Maps each key (an `id` or `externalId`) to its animal. In a spreadsheet, spaces around a key do not matter, unless an animal's
   * key has the same spaces.
   */
  readonly found: ReadonlyMap<string, FoundPet>;
  /**
   * Maps an `externalId` from the file to an animal whose `externalId` has additional leading zeros, if no animal has exactly the
   * `externalId` from the file. A spreadsheet may have removed the zeros.
   */
  readonly padded: ReadonlyMap<string, FoundPet>;
}

/**
 * Finds the animals with these values of `id` or `externalId`. Pass at most as many values as the service accepts in one request.
 */
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

/** Returns a number with one leading zero, with two, and so on. A spreadsheet would have removed these zeros. */
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
