// Writes dist/package/, whose files are the npm package: the program, the pages' files, the migrations, and the licences of the
// packages in them. npm runs this script before it packs.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { PACKED_FOLDER, PROJECT } from "../bin/bundle.js";
import { writeParts } from "./build/executable.ts";
import { licenceTexts } from "./build/licences.ts";
import { bundleProgram } from "./build/program.ts";

// The bundler writes paths relative to the current folder into its output, so the folder is fixed.
process.chdir(PROJECT);
await rm(PACKED_FOLDER, { recursive: true, force: true });
await bundleProgram(PACKED_FOLDER, "package");
await writeParts(PACKED_FOLDER);
await cp(join(PROJECT, "src/storage/migrations"), join(PACKED_FOLDER, "migrations"), { recursive: true });
await Bun.write(join(PACKED_FOLDER, "LICENSES.txt"), await licenceTexts());
