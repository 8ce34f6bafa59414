// The lower bound for a create in this runtime: one INSERT with its commit, repeated, on our tables with our settings.
// Prints the median in microseconds.
import { Database } from "bun:sqlite";

const WARM_UP_MS = 300;
const [file = "", milliseconds = ""] = process.argv.slice(2);

using db = new Database(file, { safeIntegers: true });
for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
  db.run(`PRAGMA ${pragma}`);
const insert = db.prepare("INSERT INTO pet (name, category_id, status) VALUES (?1, ?2, ?3) RETURNING id");

function insertFor(duration: number): number[] {
  const times: number[] = [];
  const end = performance.now() + duration;
  for (let startedAt = performance.now(); startedAt < end; startedAt = performance.now()) {
    insert.all("Fluffy", times.length % 100, "available");
    times.push((performance.now() - startedAt) * 1000);
  }
  return times.sort((a, b) => a - b);
}

insertFor(WARM_UP_MS);
const times = insertFor(Number(milliseconds));
process.stdout.write(`${times[Math.floor(times.length / 2)]}\n`);
