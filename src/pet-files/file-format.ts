export const FILE_FORMATS = ["csv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The format that the file's extension stands for. */
export function formatOf(file: string): FileFormat | undefined {
  if (/\.csv$/i.test(file)) return "csv";
  return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : undefined;
}

/** JSON Lines begin with `{`, after an optional byte order mark and blanks. */
export function detectFormat(bytes: Uint8Array): FileFormat {
  return /^\ufeff?[ \t\r\n]*\{/.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))
    ? "jsonl"
    : "csv";
}
