/** Writes a CSV record with its line break, CR LF (RFC 4180 §2). */
export function writeCsv(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}
