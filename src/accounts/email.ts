import { invalidMember } from "../errors.ts";

const EMAIL_LENGTH_MAX = 254; // maximum number of characters in an email address (RFC 5321 §4.5.3.1.3, without the brackets)

/**
 * Characters that are invisible or look like a space (UAX #44, and U+2800). They are refused, because they would let two different
 * addresses look alike.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zs}\u2800]/u;

/** Normalizes an email address: trims it and makes it lower case. @throws ServiceError `invalid_body` for an invalid address */
export function normalizeEmail(text: string): string {
  const email = knownEmail(text);
  if (INVISIBLE.test(email)) {
    throw invalidMember(
      "email",
      "contains a space or an invisible character; type the address again without it",
    );
  }
  if (email.length > EMAIL_LENGTH_MAX || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) {
    throw invalidMember("email", "must look like name@example.com");
  }
  return email;
}

/** Normalizes an email address without validating it. */
export function knownEmail(text: string): string {
  return text.trim().toLowerCase();
}
