import type { FileResponseData } from "../response.ts";

/** Directives of a Content-Security-Policy (CSP Level 3). Each replaces the default, which allows nothing. */
export type Sources = Readonly<Record<string, string | undefined>>;

const CLOSED: Sources = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  // With Trusted Types, no script of the page can use a string as markup or as the address of a script.
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

/** `Permissions-Policy` header that turns off unused browser features, so that an injected script cannot use them either. */
const UNUSED_FEATURES = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/** Creates the response for an HTML page. The page can load, run and frame only what `sources` allows. */
export function htmlResponse(html: string, sources: Sources = {}): FileResponseData {
  const policy = Object.entries({ ...CLOSED, ...sources })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": UNUSED_FEATURES,
    // Search engines must not index the pages of a store, even if they can reach the store.
    "X-Robots-Tag": "noindex",
  };
  return { status: 200, headers, body: html };
}
