// Writes the files of the npm package to dist/package/: the program, the files for its pages, the migrations, and the licences of
// the packages that it contains. npm runs this script before it packs.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { PACKED_FOLDER, PROJECT } from "../bin/bundle.js";
import { writeParts } from "./build/executable.ts";
import { licenceTexts } from "./build/licences.ts";
import { bundleProgram } from "./build/program.ts";

// Fixes the current folder, because the bundler writes paths relative to it.
process.chdir(PROJECT);
await rm(PACKED_FOLDER, { recursive: true, force: true });
await bundleProgram(PACKED_FOLDER, "package");
await writeParts(PACKED_FOLDER);
await cp(join(PROJECT, "src/storage/migrations"), join(PACKED_FOLDER, "migrations"), { recursive: true });
await Bun.write(join(PACKED_FOLDER, "LICENSES.txt"), await licenceTexts());
