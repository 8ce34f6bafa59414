/** Headers that the client sets; `If-Match` and `Idempotency-Key` have their own options. */
const RESERVED: readonly string[] = [
  "accept",
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "last-event-id",
];

/**
 * Validates headers, and writes their names in lower case; a later header replaces an earlier one.
 *
 * @throws TypeError; it never contains a value
 */
export function readHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([written, value]) => {
      const name = written.toLowerCase();
      if (RESERVED.includes(name))
        throw new TypeError(`headers cannot have ${written}: the client writes it.`);
      // A field name and a field value (RFC 9110 §5.1, §5.5); a key pasted as a name is not repeated.
      if (!/^[!#-'*+.^_`|~0-9a-z-]+$/.test(name)) throw new TypeError("headers has an invalid name.");
      if (typeof value === "string" && /^[\t\x20-\x7e]*$/.test(value)) return [name, value];
      throw new TypeError(`The value of ${written} in headers must be visible ASCII characters on one line.`);
    }),
  );
}
