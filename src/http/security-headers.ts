/** Header lines that keep browsers from running, framing or embedding a response. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // A response that is not a page of ours, opened as one, runs, loads and frames nothing (CSP Level 3).
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // CORS decides which origins may read it; no other origin may embed it unread (Fetch §3.7).
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const YEAR_SECONDS = 31_536_000;

/** With HSTS where the service is reached at an https address (RFC 6797); other names of its domain are not affected. */
export function securityHeadersFor(publicUrl: string | undefined): Readonly<Record<string, string>> {
  if (!publicUrl?.startsWith("https:")) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` };
}
