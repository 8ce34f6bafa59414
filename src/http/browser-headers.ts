/** Header lines that prevent browsers from running, framing or embedding a response. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // The response must not run, load or embed anything, even if a browser opens it as a document (CSP Level 3).
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // CORS only decides which origins may read a response. `Cross-Origin-Resource-Policy` keeps pages of other origins from embedding
  // the response (Fetch §3.7).
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const YEAR_SECONDS = 31_536_000;

/** Returns `SECURITY_HEADERS`, plus HSTS if the public address is https (RFC 6797). HSTS is not extended to subdomains. */
export function securityHeadersFor(publicUrl: string | undefined): Readonly<Record<string, string>> {
  if (!publicUrl?.startsWith("https:")) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` };
}

// Web pages of any origin may call the API, because browsers never add a bearer key by themselves (Fetch §3.2).

export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Link, Location, ETag, Deprecation, Sunset, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed, Petstore-Simulated, WWW-Authenticate, Allow",
} as const;

export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Petstore-Simulate, X-Request-Id, traceparent",
  "Access-Control-Max-Age": "7200",
  Vary: "Access-Control-Request-Headers",
} as const;

/** True for a CORS preflight request. Such a request never carries a key, and must not need one. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}
