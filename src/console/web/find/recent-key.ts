/** Key in localStorage of the numbers of the animals that an account opened last. Each environment has its own origin, and so its own animals. */
export function recentKey(email = ""): string {
  return `recent-animals ${email}`;
}
