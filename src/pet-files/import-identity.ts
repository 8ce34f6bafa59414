// Every request of an import carries the import's identity in X-Request-Id, which is recorded in the events. An undo uses this
// identity to find the changes that the import made.

/**
 * A request identifier of an import: `import_`, the time in base 36, random characters, the file's name in ASCII, and the number of
 * the request, or `undo`.
 */
const PATTERN = /^(import_[0-9a-z]{9}[0-9A-Za-z]{6}_([A-Za-z0-9.-]*))_(\d{1,7}|undo)$/;
const NAME_LENGTH_MAX = 30;
const CUT = "..."; // replaces the beginning of a file name that is too long
export const IMPORT_PREFIX = "import_";
export const TIME_LENGTH = 9; // number of digits of an import's time in base 36, which is enough until the year 5188

/** Creates the identity of an import. @param random a string of at least 6 random characters of base 62 */
export function importIdentity(file: string, now: number, random: string): string {
  const name = file
    .normalize("NFKD")
    .replaceAll(/\p{Mn}+/gu, "")
    .replaceAll(/[^A-Za-z0-9.]+/g, "-");
  const end = name.length > NAME_LENGTH_MAX ? CUT + name.slice(CUT.length - NAME_LENGTH_MAX) : name;
  return `${IMPORT_PREFIX}${importTime(now)}${random.slice(0, 6)}_${end}`;
}

/** Creates a function that returns the headers for each request of an import. */
export function importHeaders(identity: string): () => Readonly<Record<string, string>> {
  let count = 0;
  return () => ({ "X-Request-Id": `${identity}_${++count}` });
}

export function undoIdentity(identity: string): string {
  return `${identity}_undo`;
}

/**
 * Returns the import that a request belongs to, with the file's name in ASCII. Returns undefined for any other request, and for a
 * request that undoes an import.
 */
export function importOf(
  requestId: string,
): { readonly identity: string; readonly file: string } | undefined {
  const [, identity, file = "", number] = PATTERN.exec(requestId) ?? [];
  return identity === undefined || number === "undo" ? undefined : { identity, file };
}

export function isImportIdentity(text: string): boolean {
  return PATTERN.test(`${text}_1`);
}

/** Formats a time for the identity of an import, so that alphabetical order is also the order of time. */
export function importTime(time: number): string {
  return time.toString(36).padStart(TIME_LENGTH, "0");
}

/** Returns the time at which an import was started, in milliseconds since 1970. */
export function importStart(identity: string): number {
  return Number.parseInt(identity.slice(IMPORT_PREFIX.length, IMPORT_PREFIX.length + TIME_LENGTH), 36);
}
