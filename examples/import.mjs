// Adds the animals of a file, four at a time. Started again within 24 hours, it adds only the animals that are missing.
// node import.mjs FILE, with a line NAME<TAB>CATEGORY for each animal. For spreadsheets, use petstore pets import.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createClient, PetstoreInvalidError } from "@petstore/client";

const [file = ""] = process.argv.slice(2);
const lines = (await readFile(file, "utf8")).split(/\r?\n/).filter((line) => line !== "");
const rest = lines.entries();
const client = createClient({ retries: 20, timeoutMs: 600_000 });
let added = 0;

async function work() {
  for (const [index, line] of rest) {
    const [name = "", category = ""] = line.split("\t");
    // The key contains the line number, because two equal lines are two animals.
    const idempotencyKey = createHash("sha256").update(`${index} ${line}`).digest("hex");
    try {
      await client.pets.create({ name, categoryId: BigInt(category) }, { idempotencyKey });
      added++;
    } catch (error) {
      if (!(error instanceof PetstoreInvalidError || error instanceof SyntaxError)) throw error;
      console.error(`Line ${index + 1}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all([work(), work(), work(), work()]);
console.log(`Added ${added} of ${lines.length} animals.`);
