import { expect } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../src/errors.ts";
import { createTestApp } from "../test-app.ts";

export const freshDir = () => mkdtempSync(join(tmpdir(), "petstore-used-"));

export function copyOf(dataDir: string): string {
  const copy = freshDir();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** Starts a service on the store in a folder. Resolves to `served`, or to the error message if the service refuses the store. */
export const openingOf = (dataDir: string): Promise<string> =>
  createTestApp({}, { dataDir }).then((app) => app.close().then(() => "served"), errorMessage);

/**
 * Starts a service on the store in a folder, adds animals, and returns their identifiers. `whileOpen` runs before the service
 * stops.
 */
export async function addPets(
  dataDir: string,
  count: number,
  whileOpen: () => void = () => {},
): Promise<number[]> {
  const app = await createTestApp({}, { dataDir });
  const { token: key } = await app.makeKey();
  const ids: number[] = [];
  for (let number = 0; number < count; number++) {
    const body = '{"name":"Fluffy","categoryId":1}';
    const { status, json } = await app.ask("production", "POST /v1/pets", { key, body });
    expect(status).toBe(201);
    ids.push(json.id);
  }
  const category = await app.send("production", "POST /v1/categories", { key, body: '{"name":"Cats"}' });
  expect(category.status).toBe(201);
  whileOpen();
  await app.close();
  return ids;
}

export function removeDatabase(dataDir: string, name: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `${name}.sqlite${end}`), { force: true });
}
