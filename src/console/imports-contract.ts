import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import { named, type Operations } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter } from "../contract/parameter.ts";
import { int64Schema, textSchema } from "../contract/schema.ts";
import { isImportIdentity } from "../pet-files/import-identity.ts";

/** An import of a file, by the events of its requests. */
export interface ImportView {
  readonly identity: string;
  /** The file's name; of an import from the command line its end, in ASCII. */
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

/** Counts of an undo that nobody has made yet; `left` is the number of animals that it would leave as they are. */
export interface UndoPreview extends Pick<UndoneImport, "removed" | "restored" | "next"> {
  readonly left: number;
}

const FILE_LENGTH_MAX = 1_000; // longest name of a file; file systems allow 255
const IDENTITY = "the identity of an import";

const identity = z.string().refine(isImportIdentity, { error: `must be ${IDENTITY}` });

const importToUndo = z.object({
  identity,
  below: int64Schema({ description: "Where the last request ended.", example: 1 }).optional(),
});

export const importOperations = named({
  listImports: {
    method: "GET",
    path: "/imports",
    success: { status: 200, schema: z.custom<readonly ImportView[]>() },
  },
  nameImport: {
    method: "POST",
    path: "/imports",
    body: {
      schema: z.object({
        identity,
        file: textSchema({ description: "The file's name.", maxLength: FILE_LENGTH_MAX }),
      }),
    },
    success: { status: 204 },
  },
  previewUndo: {
    method: "GET",
    path: "/imports/{identity}",
    pathParameters: {
      identity: opaqueParameter({
        description: "The import.",
        expected: IDENTITY,
        accepts: isImportIdentity,
        example: "import_0mfzq3k5aAb12Cd_animals.csv",
      }),
    },
    query: {
      below: int64Parameter({ description: "Where the last request ended.", example: 1 }),
    },
    success: { status: 200, schema: z.custom<UndoPreview>() },
  },
  undoImport: {
    method: "POST",
    path: "/imports/undo",
    body: { schema: importToUndo },
    success: { status: 200, schema: z.custom<UndoneImport>() },
  },
} as const satisfies Operations);
