// A browser never adds a bearer key by itself, so pages of any origin may call the API (Fetch §3.2).

const EXPOSED = [
  "Link",
  "Location",
  "ETag",
  "Deprecation",
  "Sunset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
  "Idempotent-Replayed",
  "Petstore-Simulated",
  "WWW-Authenticate",
  "Allow",
].join(", ");

export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED,
} as const;

export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Petstore-Simulate, X-Request-Id, traceparent",
  "Access-Control-Max-Age": "7200",
  Vary: "Access-Control-Request-Headers",
} as const;

/** A CORS preflight request carries no key, so it is answered without one. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}
