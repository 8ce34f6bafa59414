import type { Environment } from "../context.ts";
import { SESSION_LIFE_MS } from "../limits.ts";

/**
 * The cookie that holds a session (RFC 6265bis). Browsers do not tell ports of one host apart, so its name says the
 * environment; behind HTTPS it is `Secure` and, by its prefix, nobody else's to set.
 */
export interface SessionCookie {
  /** The token that a request's `Cookie` line holds. */
  read(header: string | null): string | undefined;
  /** The `Set-Cookie` line that keeps a token. */
  keep(token: string): string;
  /** The `Set-Cookie` line that forgets it. */
  forget(): string;
}

export function createSessionCookie(environment: Environment, isSecure: boolean): SessionCookie {
  const name = `${isSecure ? "__Host-" : ""}petstore-${environment}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header) {
      const pairs = (header ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    },
    keep: (token) => `${name}=${token}; Max-Age=${SESSION_LIFE_MS / 1000}; ${attributes}`,
    forget: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
