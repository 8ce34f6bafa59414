import type { FileResponseData } from "../response.ts";

/** Directives of a Content-Security-Policy (CSP Level 3) that open what is closed otherwise. */
export type Sources = Readonly<Record<string, string>>;

const CLOSED: Sources = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/** What no page of ours has a use for, so that nothing that slips into one has it either. */
const UNUSED_FEATURES = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/** A page for a browser. Nothing is loaded, run or framed but what `sources` allow. */
export function htmlResponse(html: string, sources: Sources = {}): FileResponseData {
  const policy = Object.entries({ ...CLOSED, ...sources }).map(([name, value]) => `${name} ${value}`);
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
