import type { Environment } from "../context.ts";
import { SESSION_LIFE_MS } from "../limits.ts";

/**
 * The cookie that holds a session (RFC 6265bis). Browsers share cookies between the ports of a host, so its
 * name has the environment. Behind HTTPS it is `Secure`, and `__Host-` keeps other hosts from setting it.
 */
export interface SessionCookie {
  /**
   * The tokens in a request's `Cookie` line. Without HTTPS, another port of the host can add a cookie of the same name
   * and a longer path, which browsers send first (RFC 6265 §5.4).
   */
  read(header: string | null): readonly string[];
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
      const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
      return [...new Set(own.map((pair) => pair.slice(name.length + 1)))];
    },
    keep: (token) => `${name}=${token}; Max-Age=${SESSION_LIFE_MS / 1000}; ${attributes}`,
    forget: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
