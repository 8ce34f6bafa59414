import { utimesSync } from "node:fs";

// A build preloads this file, which changes a source file after the build has started.

await Bun.sleep(20);
utimesSync("src/limits.ts", new Date(), new Date());
