import type { FileResponseData } from "../response.ts";

/** Directives of a Content-Security-Policy (CSP Level 3), in place of those that allow nothing; undefined leaves one out. */
export type Sources = Readonly<Record<string, string | undefined>>;

const CLOSED: Sources = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  // No string becomes markup or a script's address, by any script of the page (Trusted Types).
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

/** No page of ours needs these, so a script that is injected into one cannot use them either. */
const UNUSED_FEATURES = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/** A page for a browser, which loads, runs and frames only what `sources` allow. */
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
  };
  return { status: 200, headers, body: html };
}
