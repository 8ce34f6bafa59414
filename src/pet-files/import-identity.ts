// An import's requests carry its identity in X-Request-Id, so that each of its events has it: by that an import is undone.

/** `import_`, the time in base 36, random characters, and the file's name in ASCII; the request's number follows. */
const PATTERN = /^(import_[0-9a-z]{9}[0-9A-Za-z]{6}_([A-Za-z0-9.-]*))_(\d{1,7}|undo)$/;
const NAME_LENGTH_MAX = 30;
export const IMPORT_PREFIX = "import_";
export const TIME_LENGTH = 9; // of an import's time: until the year 5188

/** Creates the identity of an import. @param random at least 6 characters of base 62 */
export function importIdentity(file: string, now: number, random: string): string {
  const name = file
    .normalize("NFKD")
    .replaceAll(/\p{Mn}+/gu, "")
    .replaceAll(/[^A-Za-z0-9.]+/g, "-");
  return `${IMPORT_PREFIX}${importTime(now)}${random.slice(0, 6)}_${name.slice(-NAME_LENGTH_MAX)}`;
}

/** Creates a function for the headers of each of an import's requests. */
export function importHeaders(identity: string): () => Readonly<Record<string, string>> {
  let count = 0;
  return () => ({ "X-Request-Id": `${identity}_${++count}` });
}

/** The identifier of the requests that undo an import. */
export function undoIdentity(identity: string): string {
  return `${identity}_undo`;
}

/** The import of a request, with the file's name in ASCII; undefined for any other request, even one that undoes an import. */
export function importOf(
  requestId: string,
): { readonly identity: string; readonly file: string } | undefined {
  const [, identity, file = "", number] = PATTERN.exec(requestId) ?? [];
  return identity === undefined || number === "undo" ? undefined : { identity, file };
}

/** True if this is an identity of an import. */
export function isImportIdentity(text: string): boolean {
  return PATTERN.test(`${text}_1`);
}

/** A time as identities have it: earlier ones come first in alphabetical order. */
export function importTime(time: number): string {
  return time.toString(36).padStart(TIME_LENGTH, "0");
}

/** When an import was begun, in milliseconds since 1970. */
export function importStart(identity: string): number {
  return Number.parseInt(identity.slice(IMPORT_PREFIX.length, IMPORT_PREFIX.length + TIME_LENGTH), 36);
}
