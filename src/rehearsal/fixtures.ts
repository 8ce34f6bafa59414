import type { NewCategory } from "../categories/contract.ts";
import type { Input } from "../contract/operation.ts";
import type { NewPet, petOperations } from "../pets/contract.ts";
import type { FixtureName } from "./contract.ts";

/**
 * One change in a fixture. Its date is `daysAgo` days before the reset. Identifiers are assigned in the order of the changes,
 * starting with 1.
 */
export type Step = { readonly daysAgo: number } & (
  | { readonly category: NewCategory }
  | { readonly pet: NewPet }
  | { readonly petId: number; readonly patch: Input<typeof petOperations.updatePet>["body"] }
  /** @param shipsIn the number of days from the reset to the ship date, or null for an order without a ship date */
  | { readonly orderedPetId: number; readonly shipsIn: number | null }
  | { readonly completedOrderId: number }
);

/** The category number 2^53 + 1, which a double cannot represent. It makes it obvious if a client rounds integers. */
const LARGE_CATEGORY = 9007199254740993n;

/**
 * A small pet shop, with the changes that were made in the last month. Each pending animal has an open order, and each sold animal
 * has a completed order.
 */
const SHOP: readonly Step[] = [
  { daysAgo: 30, category: { name: "Dogs", description: "Puppies and grown dogs, vaccinated." } },
  { daysAgo: 30, category: { name: "Cats", description: "Indoor and outdoor cats." } },
  { daysAgo: 30, category: { name: "Birds", description: "Budgerigars, canaries and parrots." } },
  { daysAgo: 30, category: { name: "Small animals", description: "Rabbits, guinea pigs, hamsters." } },
  { daysAgo: 30, category: { name: "Fish", description: "Freshwater fish; tanks are not included." } },
  { daysAgo: 29.2, pet: { name: "Rex", categoryId: 1, status: "available" } },
  { daysAgo: 29.2, pet: { name: "Luna (reserved)", categoryId: 1, status: "pending" } },
  { daysAgo: 29.1, pet: { name: "Balu", categoryId: 1, status: "available" } },
  { daysAgo: 28.1, pet: { name: "Jörg von der Heide", categoryId: 1, status: "available" } },
  { daysAgo: 27.3, petId: 2, patch: { name: "Luna", status: "available" } },
  { daysAgo: 27.2, pet: { name: "Bella", categoryId: 1, status: "available" } },
  { daysAgo: 26.3, pet: { name: "Mimi", categoryId: 2, status: "available" } },
  { daysAgo: 25.2, pet: { name: "Señor Bigotes", categoryId: 2, status: "available" } },
  { daysAgo: 24.3, pet: { name: "Chloé", categoryId: 2, status: "available" } },
  { daysAgo: 23.1, pet: { name: "Whiskers", categoryId: 2, status: "available" } },
  { daysAgo: 22.4, category: { name: "Reptiles" } },
  { daysAgo: 21.2, pet: { name: "Latka", categoryId: 2, status: "available" } },
  { daysAgo: 21.1, petId: 10, patch: { name: "Łatka" } },
  { daysAgo: 20.3, pet: { name: "Tweety", categoryId: 3, status: "available" } },
  { daysAgo: 20.3, pet: { name: "Coco", categoryId: 3 } },
  { daysAgo: 19.2, petId: 12, patch: { status: "available" } },
  { daysAgo: 18.2, pet: { name: "Zoë", categoryId: 3, status: "available" } },
  { daysAgo: 17.3, pet: { name: "Ara 7", categoryId: 3 } },
  { daysAgo: 15.2, pet: { name: "Thumper", categoryId: 4, status: "available" } },
  { daysAgo: 14.3, pet: { name: "Pünktchen", categoryId: 2, status: "available" } },
  { daysAgo: 14.2, petId: 16, patch: { categoryId: 4 } },
  { daysAgo: 13.1, pet: { name: "Krümel", categoryId: 4, status: "available" } },
  { daysAgo: 12.2, pet: { name: "Biscuit", categoryId: 4, status: "available" } },
  { daysAgo: 10.3, pet: { name: "Nemo", categoryId: 5, status: "available" } },
  { daysAgo: 10.3, pet: { name: "Dory", categoryId: 5, status: "available" } },
  { daysAgo: 8.2, pet: { name: "O'Malley", categoryId: 5 } },
  { daysAgo: 7.3, orderedPetId: 5, shipsIn: -6 },
  { daysAgo: 6.2, completedOrderId: 1 },
  { daysAgo: 6.1, pet: { name: "Spike", categoryId: 6, status: "available" } },
  { daysAgo: 5.3, orderedPetId: 9, shipsIn: -3 },
  { daysAgo: 5.2, pet: { name: "Frau Schröder-Müller", categoryId: 6, status: "available" } },
  { daysAgo: 3.2, completedOrderId: 2 },
  { daysAgo: 2.3, orderedPetId: 17, shipsIn: null },
  { daysAgo: 2.2, orderedPetId: 3, shipsIn: -2 },
  { daysAgo: 2.1, pet: { name: "たま", categoryId: 2, status: "available" } },
  { daysAgo: 1.3, completedOrderId: 3 },
  { daysAgo: 1.2, orderedPetId: 8, shipsIn: null },
  { daysAgo: 1.1, pet: { name: "Unsorted, from the Møller estate", categoryId: LARGE_CATEGORY } },
  { daysAgo: 0.3, orderedPetId: 13, shipsIn: 2 },
  { daysAgo: 0.2, orderedPetId: 23, shipsIn: 5 },
];

/** The changes that a reset replays, oldest first, keyed by the name of the fixture. */
export const FIXTURES: Readonly<Record<FixtureName, readonly Step[]>> = { empty: [], shop: SHOP };
