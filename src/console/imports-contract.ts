import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import { named, type Operations } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter } from "../contract/parameter.ts";
import { int64Schema, textSchema } from "../contract/schema.ts";
import { isImportIdentity } from "../pet-files/import-identity.ts";

/** An import of a file, reconstructed from the events of its requests. */
export interface ImportView {
  readonly identity: string;
  /** The name of the file. An import from the command line stores only the end of the name, in ASCII. */
  readonly file: string;
  /** The time when the import began, in RFC 3339 format: the time of its oldest event, as far as its events have been read. */
  readonly startedAt: string;
  readonly added: number;
  readonly changed: number;
  /** True if the import has been undone, and has changed nothing since then. */
  readonly isUndone: boolean;
}

export interface UndoneImport {
  readonly removed: number;
  readonly restored: number;
  /** The animals that the undo left unchanged, each with the reason. */
  readonly left: readonly { readonly id: Int64; readonly name: string; readonly reason: string }[];
  /** The value of `below` for the next request; null if the undo is finished. */
  readonly next: Int64 | null;
}

/** The effects that an undo would have now. `left` is the number of animals that it would leave unchanged. */
export interface UndoPreview extends Pick<UndoneImport, "removed" | "restored" | "next"> {
  readonly left: number;
}

const FILE_LENGTH_MAX = 1_000; // the maximum length of a file's name; file systems allow 255 characters
const IDENTITY = "the identifier of an import";

const identity = z.string().refine(isImportIdentity, { error: `must be ${IDENTITY}` });

const importToUndo = z.object({
  identity,
  below: int64Schema({
    description: "The value of `next` in the previous response.",
    example: 1,
  }).optional(),
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
      below: int64Parameter({
        description: "The value of `next` in the previous response.",
        example: 1,
      }),
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
