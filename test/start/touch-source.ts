import { utimesSync } from "node:fs";

// This file is preloaded into a build. It changes a source after the build has started.

await Bun.sleep(20);
utimesSync("src/limits.ts", new Date(), new Date());
