// The rows that every server starts with, as SQL for both engines.

/** The columns of the animal number `n`. A quarter of all animals have no status. */
export const ANIMAL = `'Animal ' || n, n % 100,
  CASE n % 4 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' WHEN 2 THEN 'sold' END`;

export const ANIMALS = 100_000;
