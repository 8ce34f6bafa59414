import type { Int64 } from "exact-json/int64";
import type { PetStatus } from "../pets/contract.ts";
import type { FixtureName } from "./contract.ts";

/** Contents of the store after a reset: rows in order of their identifiers, which start at 1. */
export interface Fixture {
  readonly categories: readonly (readonly [name: string, description: string | null])[];
  readonly pets: readonly (readonly [name: string, categoryId: Int64, status: PetStatus | null])[];
  readonly orders: readonly (readonly [
    petId: number,
    quantity: 1,
    shipDate: number | null,
    complete: 0 | 1,
  ])[];
}

const CATEGORIES = [
  ["Dogs", "Puppies and grown dogs, vaccinated."],
  ["Cats", "Indoor and outdoor cats."],
  ["Birds", "Budgerigars, canaries and parrots."],
  ["Small animals", "Rabbits, guinea pigs, hamsters."],
  ["Fish", "Freshwater fish; tanks are not included."],
  ["Reptiles", null],
] as const;

/** A category number, 2^53 + 1: a client that reads it as a double shows another number. */
const LARGE_CATEGORY = 9007199254740993n;

/** A small pet shop: an open order for each pending animal, a complete one for each sold animal. */
const SHOP: Fixture = {
  categories: CATEGORIES,
  pets: [
    ["Rex", 1, "available"],
    ["Luna", 1, "available"],
    ["Balu", 1, "pending"],
    ["Jörg von der Heide", 1, "available"],
    ["Bella", 1, "sold"],
    ["Mimi", 2, "available"],
    ["Señor Bigotes", 2, "available"],
    ["Chloé", 2, "pending"],
    ["Whiskers", 2, "sold"],
    ["Łatka", 2, "available"],
    ["Tweety", 3, "available"],
    ["Coco", 3, "available"],
    ["Zoë", 3, "pending"],
    ["Ara 7", 3, null],
    ["Thumper", 4, "available"],
    ["Pünktchen", 4, "available"],
    ["Krümel", 4, "sold"],
    ["Biscuit", 4, "available"],
    ["Nemo", 5, "available"],
    ["Dory", 5, "available"],
    ["O'Malley", 5, null],
    ["Spike", 6, "available"],
    ["Frau Schröder-Müller", 6, "pending"],
    ["たま", 2, "available"],
    ["Unsorted, from the Møller estate", LARGE_CATEGORY, null],
  ],
  orders: [
    [5, 1, Date.UTC(2026, 0, 12, 9), 1],
    [9, 1, Date.UTC(2026, 0, 14, 15, 30), 1],
    [17, 1, null, 1],
    [3, 1, Date.UTC(2026, 0, 20, 10), 0],
    [8, 1, null, 0],
    [13, 1, Date.UTC(2026, 1, 2, 8), 0],
    [23, 1, Date.UTC(2026, 1, 3, 8), 0],
  ],
};

/** Contents of the store after a reset, by fixture name. */
export const FIXTURES: Readonly<Record<FixtureName, Fixture>> = {
  empty: { categories: [], pets: [], orders: [] },
  shop: SHOP,
};
