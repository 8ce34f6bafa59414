// Adds one animal exactly once, even if the network fails or this program runs again for the same piece of work.
// node add-safely.mjs WORK NAME CATEGORY, such as: node add-safely.mjs invoice-2026-0001 Fluffy 9007199254740993
import { createClient, PetstoreConnectionError, PetstoreInvalidError } from "@petstore/client";

const [idempotencyKey = "", name = "", category = ""] = process.argv.slice(2);

const client = createClient({
  onRetry: ({ error, delayMs }) => console.error(`${error.message} Again in ${Math.ceil(delayMs)} ms.`),
});

try {
  // The service remembers this key for 24 hours. A repeated request with the key gets the first response again.
  const pet = await client.pets.create({ name, categoryId: BigInt(category) }, { idempotencyKey });
  console.log(`Animal ${pet.id}: ${pet.name}, category ${pet.categoryId}`);
} catch (error) {
  process.exitCode = 1;
  if (error instanceof PetstoreInvalidError) {
    for (const { pointer, detail } of error.members) console.error(`${pointer} ${detail}`);
  } else if (error instanceof PetstoreConnectionError && error.outcomeUnknown) {
    console.error(`${error.message} Run this again for ${idempotencyKey}: it is added once.`);
  } else throw error;
}
