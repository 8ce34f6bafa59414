import { sha256 } from "../../platform/sha256.ts";

/** A request body, as far as a retry has to have the same. */
export interface FingerprintedBody {
  readonly bytes: Uint8Array;
  /** What the bytes say; undefined for a body that the operation does not declare, which is not parsed. */
  readonly json: unknown;
}

/** SHA-256 of the JSON value, however it is spaced and ordered; of the bytes where they are not parsed. */
export function fingerprintOf({ bytes, json }: FingerprintedBody): Uint8Array {
  return json === undefined ? sha256(bytes) : sha256(Buffer.from(canonicalText(json)));
}

/** Whether a record belongs to this body. */
export function hasFingerprint(body: FingerprintedBody, recorded: Uint8Array): boolean {
  return Buffer.compare(recorded, fingerprintOf(body)) === 0;
}

/** One text for one JSON value: no spaces, members by name, every digit of an integer. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
