import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import { named, type Operations } from "../contract/operation.ts";
import { int64Schema } from "../contract/schema.ts";
import { isImportIdentity } from "../pet-files/import-identity.ts";

/** An import of a file, by the events of its requests. */
export interface ImportView {
  readonly identity: string;
  /** The file's name in ASCII. */
  readonly file: string;
  /** Time of its first event that was looked at. */
  readonly startedAt: string;
  readonly added: number;
  readonly changed: number;
  readonly isUndone?: boolean;
}

export interface UndoneImport {
  readonly removed: number;
  readonly restored: number;
  /** Animals that were left as they are, with the reason. */
  readonly left: readonly { readonly id: Int64; readonly name: string; readonly reason: string }[];
  /** Position from which the next request continues; null at the end. */
  readonly next: Int64 | null;
}

const importToUndo = z.object({
  identity: z.string().refine(isImportIdentity, { error: "must be the identity of an import" }),
  below: int64Schema({ description: "Where the last request ended.", example: 1 }).optional(),
});

export const importOperations = named({
  listImports: {
    method: "GET",
    path: "/imports",
    success: { status: 200, schema: z.custom<readonly ImportView[]>() },
  },
  undoImport: {
    method: "POST",
    path: "/imports/undo",
    body: { schema: importToUndo },
    success: { status: 200, schema: z.custom<UndoneImport>() },
  },
} as const satisfies Operations);
