import { invalidMember } from "../errors.ts";
import { EMAIL_LENGTH_MAX } from "../limits.ts";

/**
 * An address as accounts are known by: trimmed and in lower case.
 *
 * @throws ServiceError `invalid_body` for what is not one
 */
export function normalizeEmail(text: string): string {
  const email = knownEmail(text);
  if (email.length > EMAIL_LENGTH_MAX || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) {
    throw invalidMember("email", "must look like name@example.com");
  }
  return email;
}

/** The form that an address would be known in, were it one. */
export function knownEmail(text: string): string {
  return text.trim().toLowerCase();
}
