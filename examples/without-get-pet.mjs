// Prints one animal without getPet, which will be removed on 5 December 2030. Sells the animal, unless it has changed since then.
// node without-get-pet.mjs ID
import { createClient, etagOf, PetstoreConflictError } from "@petstore/client";

const client = createClient();
const [pet] = await client.pets.list({ ids: [BigInt(process.argv[2] ?? 0)] });

if (pet === undefined) {
  console.error("There is no such animal."); // getPet would respond with 404
  process.exitCode = 1;
} else {
  console.log(`${pet.name} is ${pet.status ?? "without a status"}.`);
  try {
    const sold = await client.pets.update(pet.id, { status: "sold" }, { ifMatch: etagOf(pet) });
    console.log(`${sold.name} is ${sold.status}.`);
  } catch (error) {
    if (!(error instanceof PetstoreConflictError)) throw error;
    console.error(error.message); // The animal has changed, or it has an open order.
    process.exitCode = 1;
  }
}
