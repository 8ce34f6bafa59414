// Prints every change of the store exactly once and in order. After a restart, it continues after the last printed change.
// node follow.mjs POSITION-FILE
import { readFile, writeFile } from "node:fs/promises";
import { createClient } from "@petstore/client";

const [file = "position.txt"] = process.argv.slice(2);
const after = await readFile(file, "utf8").then(BigInt, () => 0); // 0 means: from the oldest event on

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

const client = createClient();
try {
  for await (const { id, type, data, actor } of client.events.follow({ after, signal: stop.signal })) {
    console.log(`${type} ${data.id} by ${actor.name || actor.kind}`);
    // If you store what the event causes in a database, save the event's id in the same transaction.
    await writeFile(file, String(id));
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
