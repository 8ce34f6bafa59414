/** Header lines that keep a browser from making more of an answer than it is; constant, so that they cost nothing. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // An answer that is no page of ours runs, loads and frames nothing, should somebody open it as one (CSP Level 3).
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // Who may read it is for CORS to say; embedding it unread is for nobody (Fetch §3.7).
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const YEAR_SECONDS = 31_536_000;

/**
 * The same for a service that is reached at `publicUrl`: by HTTPS alone from now on, if that is how (RFC 6797). Of names
 * below its own it says nothing.
 */
export function securityHeadersFor(publicUrl: string | undefined): Readonly<Record<string, string>> {
  if (!publicUrl?.startsWith("https:")) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` };
}
