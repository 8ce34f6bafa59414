import { ServiceError } from "../errors.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";

/** OWASP's first choice for argon2id: 19 MiB of memory, two passes. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** @throws ServiceError `invalid_body` for a password that is too short or too long */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX) {
    throw new ServiceError(
      "invalid_body",
      `A password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
    );
  }
  return Bun.password.hash(password, ARGON2ID);
}
