import { utimesSync } from "node:fs";

// A preload for a build: it changes a source after the build has started.

await Bun.sleep(20);
utimesSync("src/limits.ts", new Date(), new Date());
