// Builds the API client and the bundle of petstore. npm runs this script after an install. In the first layer of the Dockerfile,
// the build scripts do not exist yet, so nothing is built there.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

for (const script of ["build-client.ts", "build-program.ts"].map(path)) {
  if (!existsSync(script)) continue;
  const { status } = spawnSync(process.execPath, [path("../bin/bun.js"), script], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
