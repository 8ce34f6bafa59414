/**
 * The cookie of a session (RFC 6265bis). Its name contains the environment, because production and staging may use two ports of the
 * same host, and browsers send cookies to all ports.
 */
export interface SessionCookie {
  /**
   * Returns all tokens in a `Cookie` header. There may be several: without HTTPS, a server on another port can set a cookie of
   * the same name, and the browser may send that cookie first (RFC 6265 §5.4).
   */
  read(header: string | null): readonly string[];
  keep(token: string): string;
  forget(): string;
}

export function createCookie(bareName: string, lifeMs: number, isSecure: boolean): SessionCookie {
  const name = `${isSecure ? "__Host-" : ""}${bareName}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header) {
      const pairs = (header ?? "").split(";").map((pair) => pair.trim());
      const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
      return [...new Set(own.map((pair) => pair.slice(name.length + 1)))];
    },
    keep: (token) => `${name}=${token}; Max-Age=${lifeMs / 1000}; ${attributes}`,
    forget: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
