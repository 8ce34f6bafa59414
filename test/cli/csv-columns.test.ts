import { expect, test } from "bun:test";
import { parseCheckedPets } from "../../src/cli/pet-files/check-pets.ts";
import { fileHead, fileLine } from "../../src/cli/pet-files/write-pets.ts";
import { detectDialect } from "../../src/pet-files/dialect.ts";
import type { Pet } from "../../src/pets/contract.ts";

// Has every member: one that is added to the schema only fails to compile here.
const ada: Required<Pet> = {
  id: 9223372036854775807n,
  name: 'Ada "A", the 1st\r\n',
  categoryId: -1,
  status: "sold",
};

async function importedFrom(csv: string) {
  async function* chunks() {
    yield new TextEncoder().encode(csv);
  }
  const dialect = await detectDialect(new TextEncoder().encode(csv), { format: "csv" });
  const resolve = (text: string) => ({ refusal: text });
  return Array.fromAsync(parseCheckedPets(chunks(), dialect, { resolve, onColumns() {} }));
}

test("an exported file has the bytes of earlier releases", () => {
  expect(fileHead("csv") + fileLine("csv", ada) + fileLine("csv", { id: 2, name: "", categoryId: 1 })).toBe(
    'id,name,categoryId,status\r\n9223372036854775807,"Ada ""A"", the 1st\r\n",-1,sold\r\n2,,1,\r\n',
  );
  expect(fileLine("jsonl", { ...ada, name: "Ada" })).toBe(
    '{"id":9223372036854775807,"name":"Ada","categoryId":-1,"status":"sold"}\n',
  );
});

test("an animal with every member comes back from its own line", async () => {
  const { id: _, ...members } = ada;
  const [read] = await importedFrom(fileHead("csv") + fileLine("csv", ada));
  expect(read).toMatchObject({ pet: members });
});
