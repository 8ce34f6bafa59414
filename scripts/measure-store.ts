// Fills an empty store with animals, then prints its size and how long it takes to read pages of animals, for bench/figures.md: npm
// run lab -- measure-store ADDRESS ANIMALS
import { Database as Sqlite } from "bun:sqlite";
import { SQL } from "bun";
import { INT64_MAX } from "exact-json/int64";
import { type PetFilter, selectPetPage } from "../src/pets/store.ts";
import { parseStoreAddress, type StoreAddress } from "../src/storage/address.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";

const BATCH = 2_000;
const PAGES = 2_000;

const [address = "", count = ""] = process.argv.slice(2);
const store = parseStoreAddress(address);
const animals = Number(count);
if (store === undefined || !(animals > 0))
  throw new Error("usage: npm run lab -- measure-store ADDRESS ANIMALS");

const database = await openDatabase("production", store);
const seconds = (await timed(() => fill(database))) / 1e6;
console.log(`${animals.toLocaleString("en")} animals in ${seconds.toFixed(1)} s, ${BATCH} a transaction`);
const middle = BigInt(Math.floor(animals / 2));
await page("first page", {});
await page("page in the middle", { below: middle });
await page("first page of a status", { status: "sold" });
await page("first page of a category and a status", { categoryId: 7, status: "sold" });
await page("one by its identifier", { ids: [Number(middle)] });
await database.close();
for (const [name, bytes] of await sizes(store)) {
  console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / animals).toFixed(1)} bytes an animal`);
}

async function fill(into: Database): Promise<void> {
  const row = (index: number) =>
    `('Animal ${index}', ${index % 100}, '${["available", "pending", "sold"][index % 3]}')`;
  for (let start = 0; start < animals; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, animals - start) }, (_, index) => row(start + index));
    const sql = `INSERT INTO pet (name, category_id, status) VALUES ${rows.join(", ")}`;
    await into.run({ sql, decode: () => undefined }, []);
  }
}

/** Prints the median time of 2,000 reads of a page of animals, including the decoding of its rows. */
async function page(title: string, filter: Partial<PetFilter>): Promise<void> {
  const { statement, values } = selectPetPage({ below: INT64_MAX, ...filter }, 21);
  const times: number[] = [];
  for (let turn = 0; turn < PAGES; turn++)
    times.push(await timed(async () => database.read(statement, values)));
  times.sort((a, b) => a - b);
  console.log(`${title}: ${Math.round(times[PAGES / 2] ?? 0)} µs`);
}

/** Runs `work`, and returns how long it took, in µs. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) * 1000;
}

async function sizes({ dataDir, databaseUrl }: StoreAddress): Promise<readonly [string, number][]> {
  if (databaseUrl === undefined) {
    const file = new Sqlite(`${dataDir}/production.sqlite`, { readonly: true });
    const parts = file.query<{ name: string; bytes: number }, []>(
      "SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'pet%' GROUP BY name ORDER BY name",
    );
    return parts.all().map(({ name, bytes }) => [name, bytes]);
  }
  const sql = new SQL(databaseUrl, { max: 1 });
  await sql.unsafe("VACUUM production.pet");
  const parts: { name: string; bytes: string }[] = await sql.unsafe(
    "SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class WHERE relname LIKE 'pet%' AND relkind IN ('r', 'i') ORDER BY 1",
  );
  await sql.close();
  return parts.map(({ name, bytes }) => [name, Number(bytes)]);
}
