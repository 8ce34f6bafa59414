import type { FileResponseData } from "../response.ts";

/** Directives of a Content-Security-Policy (CSP Level 3) that replace the defaults, which allow nothing. */
export type Sources = Readonly<Record<string, string | undefined>>;

const CLOSED: Sources = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  // No script of the page can use a string as markup or as a script's address (Trusted Types).
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

/** `Permissions-Policy` that denies the features no page uses, so that injected scripts cannot use them either. */
const UNUSED_FEATURES = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/** A page that loads, runs and frames only what `sources` allow. */
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
    // A store's pages are not for search engines, wherever the store can be reached.
    "X-Robots-Tag": "noindex",
  };
  return { status: 200, headers, body: html };
}
