// Prints the available animals, requesting pages as needed, and then the three newest of all animals.
// node list.mjs
import { createClient } from "@petstore/client";

const client = createClient(); // reads PETSTORE_KEY and PETSTORE_URL

for await (const { id, name } of client.pets.list({ status: "available" })) {
  console.log(`${id} ${name}`);
}

const newest = await client.pets.list().toArray({ limit: 3 });
console.log(`Newest: ${newest.map(({ name }) => name).join(", ")}`);
