import { messagesDocument, petstoreDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import type { Operation } from "../../src/contract/operation.ts";

/** The tests read all operations from the contracts, so they also cover every new operation. */

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

export const STORE = petstoreDocument.operations;
/** All operations of staging, which include those of production. */
export const STAGING = stagingDocument.operations;
export const MESSAGES = messagesDocument.operations;

const documented = new Set([...STAGING, ...MESSAGES].map(({ id }) => id));
/** The contracts are sorted by folder, so that passkeys come after keys. A refused sign-in with a passkey ends the session. */
const contracts = [...new Bun.Glob("src/**/*contract.ts").scanSync({ cwd: PROJECT, absolute: true })].sort(
  (one, other) => folderOf(one).localeCompare(folderOf(other)),
);
function folderOf(path: string): string {
  return path.split("/").at(-2) ?? "";
}
const declared = (
  await Promise.all(contracts.map((file): Promise<Record<string, unknown>> => import(file)))
).flatMap((contract) => Object.values(contract).flatMap(operationsIn));

/** Operations that only the console has. Signing out comes last, because the other requests need the session. */
export const CONSOLE: readonly Operation[] = declared
  .filter(({ id }) => !documented.has(id))
  .sort((one, other) => Number(one.id === "signOut") - Number(other.id === "signOut"));

function operationsIn(value: unknown): readonly Operation[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter(isOperation);
}

function isOperation(value: unknown): value is Operation {
  return typeof value === "object" && value !== null && "id" in value && "method" in value && "path" in value;
}
