import { everyPet, type RemoteUser } from "./remote.ts";
import type { Server } from "./server.ts";

export const HEAD = "name,categoryId,status\n";

/** Lines for animals of one category. Every tenth line is the same as the one before it. */
export function lines(count: number, categoryId: number): string {
  const all = Array.from({ length: count }, (_, index) => {
    const number = index % 10 === 9 ? index - 1 : index;
    return `Animal ${number},${categoryId},${["available", "sold", ""][number % 3]}\n`;
  });
  return all.join("");
}

/** The animals of a category in the store, as the sorted lines of a file. */
export async function stored(server: Server, user: RemoteUser, categoryId: number): Promise<string[]> {
  const pets = await everyPet(server, user.key);
  return pets
    .filter((pet) => pet.categoryId === categoryId)
    .map(({ name, status = "" }) => `${name},${categoryId},${status}`)
    .sort();
}
