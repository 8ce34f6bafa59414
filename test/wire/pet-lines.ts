import { everyPet, type RemoteUser } from "./remote.ts";
import type { Server } from "./server.ts";

export const HEAD = "name,categoryId,status\n";

/** Returns lines of an import file for animals in one category. Every tenth line repeats the line before it. */
export function lines(count: number, categoryId: number): string {
  const all = Array.from({ length: count }, (_, index) => {
    const number = index % 10 === 9 ? index - 1 : index;
    return `Animal ${number},${categoryId},${["available", "sold", ""][number % 3]}\n`;
  });
  return all.join("");
}

/** Returns the animals in a category as sorted lines of an import file. */
export async function stored(server: Server, user: RemoteUser, categoryId: number): Promise<string[]> {
  const pets = await everyPet(server, user.key);
  return pets
    .filter((pet) => pet.categoryId === categoryId)
    .map(({ name, status = "" }) => `${name},${categoryId},${status}`)
    .sort();
}
