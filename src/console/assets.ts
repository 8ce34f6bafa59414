import type { Asset } from "../http/static/assets.ts";
import { type Bundle, loadBundles } from "../http/static/bundles.ts";

/** The console's script, style sheet and icons. */
export type ConsoleAssets = Readonly<Record<keyof typeof CONSOLE_BUNDLES, Asset>>;

export const CONSOLE_BUNDLES = {
  script: {
    name: "console.js",
    type: "text/javascript; charset=utf-8",
    source: () => new URL("web/main.tsx", import.meta.url),
    isBundled: true,
  },
  style: {
    name: "console.css",
    type: "text/css; charset=utf-8",
    source: () => new URL("web/console.css", import.meta.url),
    isBundled: true,
  },
  icon: {
    name: "console.svg",
    type: "image/svg+xml",
    source: () => new URL("web/paw.svg", import.meta.url),
    isBundled: false,
  },
  // Without round corners: the system cuts its own shape (Web App Manifest, `maskable`).
  touchIcon: {
    name: "console.png",
    type: "image/png",
    source: () => new URL("web/paw.png", import.meta.url),
    isBundled: false,
  },
} satisfies Record<string, Bundle>;

export const consoleAssets: () => Promise<ConsoleAssets> = loadBundles(CONSOLE_BUNDLES);
