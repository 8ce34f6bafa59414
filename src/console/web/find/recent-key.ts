/**
 * Returns the localStorage key for the numbers of the animals that an account opened last. Production and staging have different
 * origins, so their animals are stored separately.
 */
export function recentKey(email = ""): string {
  return `recent-animals ${email}`;
}
