/**
 * Headers that a program cannot set, because the client sets them itself or has a separate option for them (`ifMatch`,
 * `idempotencyKey`).
 */
const RESERVED: readonly string[] = [
  "accept",
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "last-event-id",
];

/**
 * Validates headers, and converts their names to lower case. If a name occurs twice, the later header wins.
 *
 * @throws TypeError for an invalid header; the message never contains the header's value
 */
export function readHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([written, value]) => {
      const name = written.toLowerCase();
      if (RESERVED.includes(name))
        throw new TypeError(
          `The option "headers" must not contain ${written}, because the client sets this header itself.`,
        );
      // Header names and values must conform to RFC 9110 §5.1 and §5.5. The error does not repeat an invalid name, because that
      // may be an API key that was passed by mistake.
      if (!/^[!#-'*+.^_`|~0-9a-z-]+$/.test(name))
        throw new TypeError('The option "headers" contains an invalid header name.');
      if (typeof value === "string" && /^[\t\x20-\x7e]*$/.test(value)) return [name, value];
      throw new TypeError(
        `The value of ${written} in the option "headers" must consist of visible ASCII characters on one line.`,
      );
    }),
  );
}
