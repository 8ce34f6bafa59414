// Creates the release page with all files in dist/. The job may write to the repository, so for safety it installs no packages, and
// this script needs only Node.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const NOTES = "notes.md";

const tag = process.env.GITHUB_REF_NAME ?? "";
const files = readdirSync("dist").filter((name) => name !== NOTES);
const page = ["--verify-tag", "--title", `petstore ${tag.slice(1)}`, "--notes-file", `dist/${NOTES}`];
const command = ["release", "create", tag, ...page, ...files.map((name) => `dist/${name}`)];
process.exitCode = spawnSync("gh", command, { stdio: "inherit" }).status ?? 1;
