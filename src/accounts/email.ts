import { ServiceError } from "../errors.ts";
import { EMAIL_LENGTH_MAX } from "../limits.ts";

/**
 * An address as accounts are known by: trimmed and in lower case.
 *
 * @throws ServiceError `invalid_body` for what is not one
 */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > EMAIL_LENGTH_MAX || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) {
    throw new ServiceError("invalid_body", "An email address looks like name@example.com.");
  }
  return email;
}
