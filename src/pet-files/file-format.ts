/** The formats of exported files. An import can also read `json`, which is an array of objects. */
export const FILE_FORMATS = ["csv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const IMPORT_FORMATS = [...FILE_FORMATS, "json"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export function formatOf(file: string): FileFormat | undefined {
  if (/\.csv$/i.test(file)) return "csv";
  return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : undefined;
}

/** Detects the format of an import file by its first non-blank character. */
export function detectFormat(text: string): ImportFormat {
  const [first] = text.trimStart();
  if (first === "{") return "jsonl";
  return first === "[" ? "json" : "csv";
}
